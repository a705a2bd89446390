/** Back to a page of ours only: an address that names a host leads nowhere else. */
export function ownPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/'
  return URL.parse(next, location.origin)?.origin === location.origin ? next : '/'
}
