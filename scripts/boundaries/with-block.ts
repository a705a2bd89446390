/**
 * Returns a document with the text between its two markers of a name replaced.
 * @throws when the page has lost the marks.
 */
export function withBlock(page: string, name: string, text: string): string {
  const begin = new RegExp(`<!-- ${name}:[^\\n]*-->\\n`).exec(page)
  const end = page.indexOf(`<!-- end of ${name} -->`)
  if (!begin || end < begin.index)
    throw new Error(`ARCHITECTURE.md has lost the marks of its ${name}.`)
  return `${page.slice(0, begin.index + begin[0].length)}\n${text}\n\n${page.slice(end)}`
}
