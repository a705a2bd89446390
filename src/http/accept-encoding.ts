/** Returns whether `Accept-Encoding` names an encoding, and not with the weight 0, which refuses it. */
export function acceptsEncoding(header: string | undefined, encoding: 'br' | 'gzip'): boolean {
  const part = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .find((one) => one.split(';', 1)[0]!.trim() === encoding)
  return part !== undefined && !/;\s*q=0(\.0*)?$/.test(part)
}
