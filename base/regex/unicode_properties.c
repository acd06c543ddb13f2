/* unicode_properties.c: the properties of Unicode: their names in ECMA-262, and their code points.
 *
 * The tables belong to this library and not to an engine, so all engines agree
 * (docs/decisions/0008-own-unicode-tables.md).  scripts/unicode_tables.js prints unicode_data.h in
 * the order of the names here and documents its encoding. */
#include "base/always.h"
#include "base/regex/parser.h"
#include "base/regex/unicode_data.h"

#include <string.h>

/* -- Names ----------------------------------------------------------------------------------- */

/* A table is a list of records, ended by an empty one.  A record is a list of names, each ended by
 * NUL, and ends with an empty name. */

/* General_Category (tables 67 and 68 of ECMA-262 leave these to PropertyValueAliases.txt). */
static const char categories[] =
    "L\0Letter\0\0LC\0Cased_Letter\0\0Lu\0Uppercase_Letter\0\0Ll\0Lowercase_Letter\0\0"
    "Lt\0Titlecase_Letter\0\0Lm\0Modifier_Letter\0\0Lo\0Other_Letter\0\0"
    "M\0Mark\0Combining_Mark\0\0Mn\0Nonspacing_Mark\0\0Mc\0Spacing_Mark\0\0Me\0Enclosing_Mark\0\0"
    "N\0Number\0\0Nd\0Decimal_Number\0digit\0\0Nl\0Letter_Number\0\0No\0Other_Number\0\0"
    "P\0Punctuation\0punct\0\0Pc\0Connector_Punctuation\0\0Pd\0Dash_Punctuation\0\0"
    "Ps\0Open_Punctuation\0\0Pe\0Close_Punctuation\0\0Pi\0Initial_Punctuation\0\0"
    "Pf\0Final_Punctuation\0\0Po\0Other_Punctuation\0\0S\0Symbol\0\0Sm\0Math_Symbol\0\0"
    "Sc\0Currency_Symbol\0\0Sk\0Modifier_Symbol\0\0So\0Other_Symbol\0\0Z\0Separator\0\0"
    "Zs\0Space_Separator\0\0Zl\0Line_Separator\0\0Zp\0Paragraph_Separator\0\0C\0Other\0\0"
    "Cc\0Control\0cntrl\0\0Cf\0Format\0\0Cs\0Surrogate\0\0Co\0Private_Use\0\0Cn\0Unassigned\0\0";

/* Script and Script_Extensions. */
static const char scripts[] =
    "Adlm\0Adlam\0\0Aghb\0Caucasian_Albanian\0\0Ahom\0\0Arab\0Arabic\0\0"
    "Armi\0Imperial_Aramaic\0\0Armn\0Armenian\0\0Avst\0Avestan\0\0Bali\0Balinese\0\0"
    "Bamu\0Bamum\0\0Bass\0Bassa_Vah\0\0Batk\0Batak\0\0Beng\0Bengali\0\0"
    "Berf\0Beria_Erfe\0\0Bhks\0Bhaiksuki\0\0Bopo\0Bopomofo\0\0Brah\0Brahmi\0\0"
    "Brai\0Braille\0\0Bugi\0Buginese\0\0Buhd\0Buhid\0\0Cakm\0Chakma\0\0"
    "Cans\0Canadian_Aboriginal\0\0Cari\0Carian\0\0Cham\0\0Cher\0Cherokee\0\0"
    "Chrs\0Chorasmian\0\0Copt\0Coptic\0Qaac\0\0Cpmn\0Cypro_Minoan\0\0Cprt\0Cypriot\0\0"
    "Cyrl\0Cyrillic\0\0Deva\0Devanagari\0\0Diak\0Dives_Akuru\0\0Dogr\0Dogra\0\0"
    "Dsrt\0Deseret\0\0Dupl\0Duployan\0\0Egyp\0Egyptian_Hieroglyphs\0\0"
    "Elba\0Elbasan\0\0Elym\0Elymaic\0\0Ethi\0Ethiopic\0\0Gara\0Garay\0\0"
    "Geor\0Georgian\0\0Glag\0Glagolitic\0\0Gong\0Gunjala_Gondi\0\0"
    "Gonm\0Masaram_Gondi\0\0Goth\0Gothic\0\0Gran\0Grantha\0\0Grek\0Greek\0\0"
    "Gujr\0Gujarati\0\0Gukh\0Gurung_Khema\0\0Guru\0Gurmukhi\0\0Hang\0Hangul\0\0"
    "Hani\0Han\0\0Hano\0Hanunoo\0\0Hatr\0Hatran\0\0Hebr\0Hebrew\0\0"
    "Hira\0Hiragana\0\0Hluw\0Anatolian_Hieroglyphs\0\0Hmng\0Pahawh_Hmong\0\0"
    "Hmnp\0Nyiakeng_Puachue_Hmong\0\0Hung\0Old_Hungarian\0\0Ital\0Old_Italic\0\0"
    "Java\0Javanese\0\0Kali\0Kayah_Li\0\0Kana\0Katakana\0\0Kawi\0\0"
    "Khar\0Kharoshthi\0\0Khmr\0Khmer\0\0Khoj\0Khojki\0\0Kits\0Khitan_Small_Script\0\0"
    "Knda\0Kannada\0\0Krai\0Kirat_Rai\0\0Kthi\0Kaithi\0\0Lana\0Tai_Tham\0\0"
    "Laoo\0Lao\0\0Latn\0Latin\0\0Lepc\0Lepcha\0\0Limb\0Limbu\0\0Lina\0Linear_A\0\0"
    "Linb\0Linear_B\0\0Lisu\0\0Lyci\0Lycian\0\0Lydi\0Lydian\0\0Mahj\0Mahajani\0\0"
    "Maka\0Makasar\0\0Mand\0Mandaic\0\0Mani\0Manichaean\0\0Marc\0Marchen\0\0"
    "Medf\0Medefaidrin\0\0Mend\0Mende_Kikakui\0\0Merc\0Meroitic_Cursive\0\0"
    "Mero\0Meroitic_Hieroglyphs\0\0Mlym\0Malayalam\0\0Modi\0\0Mong\0Mongolian\0\0"
    "Mroo\0Mro\0\0Mtei\0Meetei_Mayek\0\0Mult\0Multani\0\0Mymr\0Myanmar\0\0"
    "Nagm\0Nag_Mundari\0\0Nand\0Nandinagari\0\0Narb\0Old_North_Arabian\0\0"
    "Nbat\0Nabataean\0\0Newa\0\0Nkoo\0Nko\0\0Nshu\0Nushu\0\0Ogam\0Ogham\0\0"
    "Olck\0Ol_Chiki\0\0Onao\0Ol_Onal\0\0Orkh\0Old_Turkic\0\0Orya\0Oriya\0\0"
    "Osge\0Osage\0\0Osma\0Osmanya\0\0Ougr\0Old_Uyghur\0\0Palm\0Palmyrene\0\0"
    "Pauc\0Pau_Cin_Hau\0\0Perm\0Old_Permic\0\0Phag\0Phags_Pa\0\0"
    "Phli\0Inscriptional_Pahlavi\0\0Phlp\0Psalter_Pahlavi\0\0Phnx\0Phoenician\0\0"
    "Plrd\0Miao\0\0Prti\0Inscriptional_Parthian\0\0Rjng\0Rejang\0\0"
    "Rohg\0Hanifi_Rohingya\0\0Runr\0Runic\0\0Samr\0Samaritan\0\0"
    "Sarb\0Old_South_Arabian\0\0Saur\0Saurashtra\0\0Sgnw\0SignWriting\0\0"
    "Shaw\0Shavian\0\0Shrd\0Sharada\0\0Sidd\0Siddham\0\0Sidt\0Sidetic\0\0"
    "Sind\0Khudawadi\0\0Sinh\0Sinhala\0\0Sogd\0Sogdian\0\0Sogo\0Old_Sogdian\0\0"
    "Sora\0Sora_Sompeng\0\0Soyo\0Soyombo\0\0Sund\0Sundanese\0\0Sunu\0Sunuwar\0\0"
    "Sylo\0Syloti_Nagri\0\0Syrc\0Syriac\0\0Tagb\0Tagbanwa\0\0Takr\0Takri\0\0"
    "Tale\0Tai_Le\0\0Talu\0New_Tai_Lue\0\0Taml\0Tamil\0\0Tang\0Tangut\0\0"
    "Tavt\0Tai_Viet\0\0Tayo\0Tai_Yo\0\0Telu\0Telugu\0\0Tfng\0Tifinagh\0\0"
    "Tglg\0Tagalog\0\0Thaa\0Thaana\0\0Thai\0\0Tibt\0Tibetan\0\0Tirh\0Tirhuta\0\0"
    "Tnsa\0Tangsa\0\0Todr\0Todhri\0\0Tols\0Tolong_Siki\0\0Toto\0\0"
    "Tutg\0Tulu_Tigalari\0\0Ugar\0Ugaritic\0\0Vaii\0Vai\0\0Vith\0Vithkuqi\0\0"
    "Wara\0Warang_Citi\0\0Wcho\0Wancho\0\0Xpeo\0Old_Persian\0\0Xsux\0Cuneiform\0\0"
    "Yezi\0Yezidi\0\0Yiii\0Yi\0\0Zanb\0Zanabazar_Square\0\0Zinh\0Inherited\0Qaai\0\0"
    "Zyyy\0Common\0\0Zzzz\0Unknown\0\0";

/* Binary properties (tables 65 and 66). */
static const char binaries[] =
    "ASCII\0\0AHex\0ASCII_Hex_Digit\0\0Alpha\0Alphabetic\0\0Any\0\0Assigned\0\0Bidi_C\0Bidi_"
    "Control\0\0"
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

/* The number of the record that has `name`. */
static bool find(const char *table, struct cupel__str name, uint32_t *ret)
{
    for (uint32_t i = 0; *table != '\0'; i++, table++) {
        for (size_t n; *table != '\0'; table += n + 1) {
            n = strlen(table);
            if (n == name.n && memcmp(name.p, table, n) == 0) {
                *ret = i;
                return true;
            }
        }
    }
    return false;
}

/* A name without a value is a binary property or a General_Category. */
bool cupel__regex_property(struct cupel__str name, struct cupel__str value,
                           struct cupel__regex_prop *ret)
{
    struct cupel__regex_prop prop = {.kind = CUPEL__PROP_BINARY};
    if (value.p == NULL && find(binaries, name, &prop.index)) {
        *ret = prop;
        return true;
    }
    const char *table = categories;
    prop.kind = CUPEL__PROP_CATEGORY;
    if (equals(name, "sc") || equals(name, "Script"))
        prop.kind = CUPEL__PROP_SCRIPT;
    else if (equals(name, "scx") || equals(name, "Script_Extensions"))
        prop.kind = CUPEL__PROP_EXTENSIONS;
    else if (value.p != NULL && !equals(name, "gc") && !equals(name, "General_Category"))
        return false;
    if (prop.kind != CUPEL__PROP_CATEGORY)
        table = scripts;
    if ((value.p == NULL && table == scripts) ||
        !find(table, value.p == NULL ? name : value, &prop.index))
        return false;
    *ret = prop;
    return true;
}

/* -- Code points ----------------------------------------------------------------------------- */

enum { POSITIONS = 0x110000 - 0x800 }; /* code points without the surrogates */

/* Reads a number in groups of seven bits, the lowest first; the high bit marks all but the last. */
static uint32_t number(const unsigned char **at)
{
    uint32_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned char byte = *(*at)++;
        n |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return n;
    }
}

/* The next position at which the runs of categories or scripts enter or leave the property. */
static uint32_t turn_runs(struct cupel__regex_prop_iter *it)
{
    bool category = it->kind == CUPEL__PROP_CATEGORY || it->kind == CUPEL__PROP_BINARY;
    unsigned bits = category ? 5 : 8;
    while (it->run_end < POSITIONS) {
        uint32_t start = it->run_end, n = number(&it->runs), value = n & ((1u << bits) - 1);
        bool inside = category ? (it->wanted >> value & 1) != 0 : value == it->wanted;
        it->run_end += n >> bits;
        if (inside != it->inside) {
            it->inside = inside;
            return start;
        }
    }
    return POSITIONS;
}

/* The same for the list of a property, which holds the positions that differ from its runs. */
static uint32_t turn_list(struct cupel__regex_prop_iter *it)
{
    uint32_t n = it->list == NULL ? 0 : number(&it->list);
    if (n == 0 && (it->list == NULL || ALWAYS(it->list_end > 0)))
        it->list_end = POSITIONS;
    else
        it->list_end += n;
    if (it->list_end == POSITIONS)
        it->list = NULL;
    return it->list_end;
}

/* The next position at which exactly one of the two changes.  The property is their exclusive or.
 */
static uint32_t turn(struct cupel__regex_prop_iter *it)
{
    while (it->runs_turn == it->list_turn && it->runs_turn < POSITIONS) {
        it->runs_turn = turn_runs(it);
        it->list_turn = turn_list(it);
    }
    uint32_t at = it->runs_turn;
    if (at < it->list_turn) {
        it->runs_turn = turn_runs(it);
    } else if (at > it->list_turn) {
        at = it->list_turn;
        it->list_turn = turn_list(it);
    }
    return at;
}

/* The code point at a position: positions skip the surrogates. */
static uint32_t scalar(uint32_t position)
{
    return position < 0xD800 ? position : position + 0x800;
}

/* Categories and binary properties select runs of categories, scripts and extensions runs of
 * scripts. Binary properties and extensions have a list of exceptions too. */
void cupel__regex_prop_begin(struct cupel__regex_prop_iter *it, struct cupel__regex_prop prop)
{
    bool category = prop.kind == CUPEL__PROP_CATEGORY || prop.kind == CUPEL__PROP_BINARY;
    *it = (struct cupel__regex_prop_iter){.kind = prop.kind, .wanted = prop.index};
    it->runs = category ? category_runs : script_runs;
    if (prop.kind == CUPEL__PROP_CATEGORY)
        it->wanted = category_masks[prop.index];
    if (prop.kind == CUPEL__PROP_BINARY) {
        it->wanted = binary_masks[prop.index];
        it->list = lists + list_starts[SCRIPTS + prop.index];
    }
    if (prop.kind == CUPEL__PROP_EXTENSIONS)
        it->list = lists + list_starts[prop.index];
    it->runs_turn = turn_runs(it);
    it->list_turn = turn_list(it);
}

bool cupel__regex_prop_next(struct cupel__regex_prop_iter *it, struct cupel__regex_range *ret)
{
    uint32_t first = turn(it);
    if (first == POSITIONS)
        return false;
    *ret = (struct cupel__regex_range){scalar(first), scalar(turn(it) - 1)};
    return true;
}
