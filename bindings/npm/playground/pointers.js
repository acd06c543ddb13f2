/* pointers.js: the line of each member and item of a JSON text, by JSON Pointer, without recursion.  The text has been
 * read by the library already; what cannot be followed ends the map. */
export function linesByPointer(text) {
  const lines = new Map([['', 1]]);
  const stack = [];
  let line = 1, path = '', name = null;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\n/gy;
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex, found = token.exec(text);
    if (found === null) {
      token.lastIndex = at + 1; /* white space */
      continue;
    }
    const [part] = found, top = stack.at(-1);
    if (part === '\n') line++;
    else if (part === '{' || part === '[') {
      if (top?.items !== undefined) path = `${top.path}/${top.items}`;
      if (!lines.has(path)) lines.set(path, line);
      stack.push({ path, ...(part === '[' ? { items: 0 } : {}) });
      name = null;
    } else if (part === '}' || part === ']') {
      stack.pop();
      if (stack.length > 0) path = stack.at(-1).path;
    } else if (part === ',') {
      if (top?.items !== undefined) top.items++;
      name = null;
    } else if (part === ':') {
      if (top === undefined || name === null) return lines;
      path = `${top.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      lines.set(path, line);
    } else if (part[0] === '"' && top !== undefined && top.items === undefined && name === null) {
      try {
        name = JSON.parse(part);
      } catch {
        return lines;
      }
    } else if (top?.items !== undefined) lines.set(`${top.path}/${top.items}`, line);
  }
  return lines;
}
