/**
 * Reads an IPv4 literal in its canonical spelling: four decimal numbers, no leading zeros, no
 * octal, hexadecimal or short forms. Returns the address as an unsigned 32-bit number, else null.
 */
export function readIpv4(text: string): number | null {
  if (text.length < 7 || text.length > 15) return null
  let address = 0
  let octet = -1
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x2e) {
      if (octet < 0 || ++dots > 3) return null
      address = address * 256 + octet
      octet = -1
      continue
    }
    if (code < 0x30 || code > 0x39 || octet === 0) return null
    octet = octet < 0 ? code - 0x30 : octet * 10 + (code - 0x30)
    if (octet > 255) return null
  }
  return dots === 3 && octet >= 0 ? address * 256 + octet : null
}

/**
 * Reads an IPv6 literal without brackets and without a zone, with `::` at most once and an optional
 * dotted tail. Returns its eight 16-bit groups, else null.
 */
export function readIpv6(text: string): number[] | null {
  if (text.length < 2 || text.length > 45) return null
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = readGroups(halves[0] ?? '', halves.length === 1)
  if (halves.length === 1) return head?.length === 8 ? head : null
  const tail = readGroups(halves[1] ?? '', true)
  if (head === null || tail === null || head.length + tail.length > 7) return null
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function readGroups(text: string, mayEndDotted: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [position, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const dotted = mayEndDotted && position === parts.length - 1 ? readIpv4(part) : null
    if (dotted === null) return null
    groups.push(Math.floor(dotted / 65_536), dotted % 65_536)
  }
  return groups
}
