/**
 * Returns ARCHITECTURE.md with the text between the two markers `<!-- name: … -->` and `<!-- end of name -->` replaced.
 * @throws when the page has no such markers.
 */
export function withBlock(page: string, name: string, text: string): string {
  const begin = new RegExp(`<!-- ${name}:[^\\n]*-->\\n`).exec(page)
  const end = page.indexOf(`<!-- end of ${name} -->`)
  if (!begin || end < begin.index)
    throw new Error(`ARCHITECTURE.md has no markers for its ${name}.`)
  return `${page.slice(0, begin.index + begin[0].length)}\n${text}\n\n${page.slice(end)}`
}
