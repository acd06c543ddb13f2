/* regex_props.c: the names of Unicode properties in ECMA-262, and what PCRE2 calls them; and the
 * characters of group names.
 *
 * Which code points have a property is PCRE2's knowledge, not this file's: a property newer than
 * its Unicode version is a name here and an error there. */
#include "regex_parse.h"

#include <string.h>

/* A table is a list of records, ended by an empty one.  A record is a list of names, each ended by
 * NUL, and ends with an empty name.  The first name is PCRE2's.  The names that ECMA-262 has are
 * the others and the first as well, less the prefix of three bytes that scripts have there. */

/* General_Category (tables 67 and 68 of ECMA-262 leave these to PropertyValueAliases.txt). */
static const char categories[] =
    "L\0Letter\0\0L&\0LC\0Cased_Letter\0\0Lu\0Uppercase_Letter\0\0Ll\0Lowercase_Letter\0\0"
    "Lt\0Titlecase_Letter\0\0Lm\0Modifier_Letter\0\0Lo\0Other_Letter\0\0"
    "M\0Mark\0Combining_Mark\0\0Mn\0Nonspacing_Mark\0\0Mc\0Spacing_Mark\0\0Me\0Enclosing_Mark\0\0"
    "N\0Number\0\0Nd\0Decimal_Number\0digit\0\0Nl\0Letter_Number\0\0No\0Other_Number\0\0"
    "P\0Punctuation\0punct\0\0Pc\0Connector_Punctuation\0\0Pd\0Dash_Punctuation\0\0"
    "Ps\0Open_Punctuation\0\0Pe\0Close_Punctuation\0\0Pi\0Initial_Punctuation\0\0"
    "Pf\0Final_Punctuation\0\0Po\0Other_Punctuation\0\0S\0Symbol\0\0Sm\0Math_Symbol\0\0"
    "Sc\0Currency_Symbol\0\0Sk\0Modifier_Symbol\0\0So\0Other_Symbol\0\0Z\0Separator\0\0"
    "Zs\0Space_Separator\0\0Zl\0Line_Separator\0\0Zp\0Paragraph_Separator\0\0C\0Other\0\0"
    "Cc\0Control\0cntrl\0\0Cf\0Format\0\0Cs\0Surrogate\0\0Co\0Private_Use\0\0Cn\0Unassigned\0\0";

/* Script and Script_Extensions.  To PCRE2 `sc:Latn` is the script and `Latn` the extensions. */
static const char scripts[] =
    "sc:Adlm\0Adlam\0\0sc:Aghb\0Caucasian_Albanian\0\0sc:Ahom\0\0sc:Arab\0Arabic\0\0"
    "sc:Armi\0Imperial_Aramaic\0\0sc:Armn\0Armenian\0\0sc:Avst\0Avestan\0\0sc:Bali\0Balinese\0\0"
    "sc:Bamu\0Bamum\0\0sc:Bass\0Bassa_Vah\0\0sc:Batk\0Batak\0\0sc:Beng\0Bengali\0\0"
    "sc:Berf\0Beria_Erfe\0\0sc:Bhks\0Bhaiksuki\0\0sc:Bopo\0Bopomofo\0\0sc:Brah\0Brahmi\0\0"
    "sc:Brai\0Braille\0\0sc:Bugi\0Buginese\0\0sc:Buhd\0Buhid\0\0sc:Cakm\0Chakma\0\0"
    "sc:Cans\0Canadian_Aboriginal\0\0sc:Cari\0Carian\0\0sc:Cham\0\0sc:Cher\0Cherokee\0\0"
    "sc:Chrs\0Chorasmian\0\0sc:Copt\0Coptic\0Qaac\0\0sc:Cpmn\0Cypro_Minoan\0\0sc:Cprt\0Cypriot\0\0"
    "sc:Cyrl\0Cyrillic\0\0sc:Deva\0Devanagari\0\0sc:Diak\0Dives_Akuru\0\0sc:Dogr\0Dogra\0\0"
    "sc:Dsrt\0Deseret\0\0sc:Dupl\0Duployan\0\0sc:Egyp\0Egyptian_Hieroglyphs\0\0"
    "sc:Elba\0Elbasan\0\0sc:Elym\0Elymaic\0\0sc:Ethi\0Ethiopic\0\0sc:Gara\0Garay\0\0"
    "sc:Geor\0Georgian\0\0sc:Glag\0Glagolitic\0\0sc:Gong\0Gunjala_Gondi\0\0"
    "sc:Gonm\0Masaram_Gondi\0\0sc:Goth\0Gothic\0\0sc:Gran\0Grantha\0\0sc:Grek\0Greek\0\0"
    "sc:Gujr\0Gujarati\0\0sc:Gukh\0Gurung_Khema\0\0sc:Guru\0Gurmukhi\0\0sc:Hang\0Hangul\0\0"
    "sc:Hani\0Han\0\0sc:Hano\0Hanunoo\0\0sc:Hatr\0Hatran\0\0sc:Hebr\0Hebrew\0\0"
    "sc:Hira\0Hiragana\0\0sc:Hluw\0Anatolian_Hieroglyphs\0\0sc:Hmng\0Pahawh_Hmong\0\0"
    "sc:Hmnp\0Nyiakeng_Puachue_Hmong\0\0sc:Hung\0Old_Hungarian\0\0sc:Ital\0Old_Italic\0\0"
    "sc:Java\0Javanese\0\0sc:Kali\0Kayah_Li\0\0sc:Kana\0Katakana\0\0sc:Kawi\0\0"
    "sc:Khar\0Kharoshthi\0\0sc:Khmr\0Khmer\0\0sc:Khoj\0Khojki\0\0sc:Kits\0Khitan_Small_Script\0\0"
    "sc:Knda\0Kannada\0\0sc:Krai\0Kirat_Rai\0\0sc:Kthi\0Kaithi\0\0sc:Lana\0Tai_Tham\0\0"
    "sc:Laoo\0Lao\0\0sc:Latn\0Latin\0\0sc:Lepc\0Lepcha\0\0sc:Limb\0Limbu\0\0sc:Lina\0Linear_A\0\0"
    "sc:Linb\0Linear_B\0\0sc:Lisu\0\0sc:Lyci\0Lycian\0\0sc:Lydi\0Lydian\0\0sc:Mahj\0Mahajani\0\0"
    "sc:Maka\0Makasar\0\0sc:Mand\0Mandaic\0\0sc:Mani\0Manichaean\0\0sc:Marc\0Marchen\0\0"
    "sc:Medf\0Medefaidrin\0\0sc:Mend\0Mende_Kikakui\0\0sc:Merc\0Meroitic_Cursive\0\0"
    "sc:Mero\0Meroitic_Hieroglyphs\0\0sc:Mlym\0Malayalam\0\0sc:Modi\0\0sc:Mong\0Mongolian\0\0"
    "sc:Mroo\0Mro\0\0sc:Mtei\0Meetei_Mayek\0\0sc:Mult\0Multani\0\0sc:Mymr\0Myanmar\0\0"
    "sc:Nagm\0Nag_Mundari\0\0sc:Nand\0Nandinagari\0\0sc:Narb\0Old_North_Arabian\0\0"
    "sc:Nbat\0Nabataean\0\0sc:Newa\0\0sc:Nkoo\0Nko\0\0sc:Nshu\0Nushu\0\0sc:Ogam\0Ogham\0\0"
    "sc:Olck\0Ol_Chiki\0\0sc:Onao\0Ol_Onal\0\0sc:Orkh\0Old_Turkic\0\0sc:Orya\0Oriya\0\0"
    "sc:Osge\0Osage\0\0sc:Osma\0Osmanya\0\0sc:Ougr\0Old_Uyghur\0\0sc:Palm\0Palmyrene\0\0"
    "sc:Pauc\0Pau_Cin_Hau\0\0sc:Perm\0Old_Permic\0\0sc:Phag\0Phags_Pa\0\0"
    "sc:Phli\0Inscriptional_Pahlavi\0\0sc:Phlp\0Psalter_Pahlavi\0\0sc:Phnx\0Phoenician\0\0"
    "sc:Plrd\0Miao\0\0sc:Prti\0Inscriptional_Parthian\0\0sc:Rjng\0Rejang\0\0"
    "sc:Rohg\0Hanifi_Rohingya\0\0sc:Runr\0Runic\0\0sc:Samr\0Samaritan\0\0"
    "sc:Sarb\0Old_South_Arabian\0\0sc:Saur\0Saurashtra\0\0sc:Sgnw\0SignWriting\0\0"
    "sc:Shaw\0Shavian\0\0sc:Shrd\0Sharada\0\0sc:Sidd\0Siddham\0\0sc:Sidt\0Sidetic\0\0"
    "sc:Sind\0Khudawadi\0\0sc:Sinh\0Sinhala\0\0sc:Sogd\0Sogdian\0\0sc:Sogo\0Old_Sogdian\0\0"
    "sc:Sora\0Sora_Sompeng\0\0sc:Soyo\0Soyombo\0\0sc:Sund\0Sundanese\0\0sc:Sunu\0Sunuwar\0\0"
    "sc:Sylo\0Syloti_Nagri\0\0sc:Syrc\0Syriac\0\0sc:Tagb\0Tagbanwa\0\0sc:Takr\0Takri\0\0"
    "sc:Tale\0Tai_Le\0\0sc:Talu\0New_Tai_Lue\0\0sc:Taml\0Tamil\0\0sc:Tang\0Tangut\0\0"
    "sc:Tavt\0Tai_Viet\0\0sc:Tayo\0Tai_Yo\0\0sc:Telu\0Telugu\0\0sc:Tfng\0Tifinagh\0\0"
    "sc:Tglg\0Tagalog\0\0sc:Thaa\0Thaana\0\0sc:Thai\0\0sc:Tibt\0Tibetan\0\0sc:Tirh\0Tirhuta\0\0"
    "sc:Tnsa\0Tangsa\0\0sc:Todr\0Todhri\0\0sc:Tols\0Tolong_Siki\0\0sc:Toto\0\0"
    "sc:Tutg\0Tulu_Tigalari\0\0sc:Ugar\0Ugaritic\0\0sc:Vaii\0Vai\0\0sc:Vith\0Vithkuqi\0\0"
    "sc:Wara\0Warang_Citi\0\0sc:Wcho\0Wancho\0\0sc:Xpeo\0Old_Persian\0\0sc:Xsux\0Cuneiform\0\0"
    "sc:Yezi\0Yezidi\0\0sc:Yiii\0Yi\0\0sc:Zanb\0Zanabazar_Square\0\0sc:Zinh\0Inherited\0Qaai\0\0"
    "sc:Zyyy\0Common\0\0sc:Zzzz\0Unknown\0\0";

/* Binary properties, without those that need more than a name (find_binary). */
static const char binaries[] =
    "ASCII\0\0AHex\0ASCII_Hex_Digit\0\0Alpha\0Alphabetic\0\0Any\0\0Bidi_C\0Bidi_Control\0\0"
    "Bidi_M\0Bidi_Mirrored\0\0CI\0Case_Ignorable\0\0Cased\0\0CWCF\0Changes_When_Casefolded\0\0"
    "CWCM\0Changes_When_Casemapped\0\0CWKCF\0Changes_When_NFKC_Casefolded\0\0"
    "CWL\0Changes_When_Lowercased\0\0CWT\0Changes_When_Titlecased\0\0"
    "CWU\0Changes_When_Uppercased\0\0Dash\0\0DI\0Default_Ignorable_Code_Point\0\0"
    "Dep\0Deprecated\0\0Dia\0Diacritic\0\0Emoji\0\0EComp\0Emoji_Component\0\0"
    "EMod\0Emoji_Modifier\0\0EBase\0Emoji_Modifier_Base\0\0EPres\0Emoji_Presentation\0\0"
    "ExtPict\0Extended_Pictographic\0\0Ext\0Extender\0\0Gr_Base\0Grapheme_Base\0\0"
    "Gr_Ext\0Grapheme_Extend\0\0Hex\0Hex_Digit\0\0IDSB\0IDS_Binary_Operator\0\0"
    "IDST\0IDS_Trinary_Operator\0\0IDC\0ID_Continue\0\0IDS\0ID_Start\0\0Ideo\0Ideographic\0\0"
    "Join_C\0Join_Control\0\0LOE\0Logical_Order_Exception\0\0Lower\0Lowercase\0\0Math\0\0"
    "NChar\0Noncharacter_Code_Point\0\0Pat_Syn\0Pattern_Syntax\0\0Pat_WS\0Pattern_White_Space\0\0"
    "QMark\0Quotation_Mark\0\0Radical\0\0RI\0Regional_Indicator\0\0STerm\0Sentence_Terminal\0\0"
    "SD\0Soft_Dotted\0\0Term\0Terminal_Punctuation\0\0UIdeo\0Unified_Ideograph\0\0"
    "Upper\0Uppercase\0\0VS\0Variation_Selector\0\0space\0White_Space\0\0XIDC\0XID_Continue\0\0"
    "XIDS\0XID_Start\0\0";

static bool equals(struct cupel__str s, const char *z)
{
    return strlen(z) == s.n && memcmp(s.p, z, s.n) == 0;
}

/* PCRE2's name in the record that has `name`, or NULL. `prefix` is the length of the prefix. */
static const char *find(const char *table, size_t prefix, struct cupel__str name)
{
    while (*table != '\0') {
        const char *pcre = table;
        bool found = equals(name, pcre + prefix);
        for (table += strlen(table) + 1; *table != '\0'; table += strlen(table) + 1)
            found = found || equals(name, table);
        if (found)
            return pcre;
        table++;
    }
    return NULL;
}

static bool find_binary(struct cupel__str name, struct cupel__regex_prop *ret)
{
    if (equals(name, "Assigned")) {
        *ret = (struct cupel__regex_prop){"Cn", true};
        return true;
    }
    const char *pcre = find(binaries, 0, name);
    if (pcre == NULL)
        pcre = find(categories, 0, name);
    if (pcre != NULL)
        *ret = (struct cupel__regex_prop){pcre, false};
    return pcre != NULL;
}

bool cupel__regex_property(struct cupel__str name, struct cupel__str value,
                           struct cupel__regex_prop *ret)
{
    const char *pcre = NULL;
    if (value.p == NULL)
        return find_binary(name, ret);
    if (equals(name, "gc") || equals(name, "General_Category"))
        pcre = find(categories, 0, value);
    else if (equals(name, "sc") || equals(name, "Script"))
        pcre = find(scripts, 3, value);
    else if ((equals(name, "scx") || equals(name, "Script_Extensions")) &&
             (pcre = find(scripts, 3, value)) != NULL)
        pcre += 3;
    if (pcre != NULL)
        *ret = (struct cupel__regex_prop){pcre, false};
    return pcre != NULL;
}

/* Beyond ASCII: what is no letter, mark or digit, in order. */
static const struct cupel__regex_range no_letters[] = {
    {0x80, 0xA9},       {0xAB, 0xB4},     {0xB6, 0xB6},     {0xB8, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},       {0xF7, 0xF7},     {0x1680, 0x1680}, {0x2000, 0x200B},   {0x200E, 0x203E},
    {0x2041, 0x2053},   {0x2055, 0x2070}, {0x207A, 0x207E}, {0x208A, 0x208E},   {0x20A0, 0x20CF},
    {0x2190, 0x2BFF},   {0x2E00, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030},   {0xD800, 0xF8FF},
    {0xFDD0, 0xFDEF},   {0xFE10, 0xFE1F}, {0xFE30, 0xFE32}, {0xFE35, 0xFE4C},   {0xFE50, 0xFE6F},
    {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FBEF}, {0x33480, 0xE00FF},
    {0xE01F0, 0x10FFFF}};

/* Marks and digits that a name may go on with and not begin with; the rest is not told apart. */
static const struct cupel__regex_range no_starts[] = {
    {0xB7, 0xB7},     {0x300, 0x36F},   {0x200C, 0x200D}, {0x203F, 0x2040}, {0x2054, 0x2054},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE4F}, {0xFF10, 0xFF19}, {0xE0100, 0xE01EF}};

static bool in_ranges(const struct cupel__regex_range *ranges, size_t n, uint32_t cp)
{
    for (size_t i = 0; i < n && cp >= ranges[i].first; i++) {
        if (cp <= ranges[i].last)
            return true;
    }
    return false;
}

bool cupel__regex_is_name_char(uint32_t cp, bool continues)
{
    if (cp < 0x80)
        return cp == '$' || cp == '_' || (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
               (continues && cp >= '0' && cp <= '9');
    if (in_ranges(no_letters, sizeof(no_letters) / sizeof(no_letters[0]), cp))
        return false;
    return continues || !in_ranges(no_starts, sizeof(no_starts) / sizeof(no_starts[0]), cp);
}
