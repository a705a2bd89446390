/** Returns the path to open after the sign-in, or `/` for one that would leave the dashboard. */
export function ownPath(next: string | undefined, origin: string): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/'
  return URL.parse(next, origin)?.origin === origin ? next : '/'
}
