/** Returns the attributes of a link that downloads the JSON under this name. */
export function downloadOf(name: string, json: unknown): { href: string; download: string } {
  const text = encodeURIComponent(`${JSON.stringify(json, null, 2)}\n`)
  return { href: `data:application/json;charset=utf-8,${text}`, download: name }
}
