/** Back to a page of ours only: an address that names a host leads nowhere else. */
export function ownPath(next: string | undefined, origin: string): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/'
  return URL.parse(next, origin)?.origin === origin ? next : '/'
}
