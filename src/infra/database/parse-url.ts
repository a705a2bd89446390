const HINT =
  'Special characters of the user and the password are written as %xx: # is %23, @ is %40, / is %2F, ? is %3F, : is %3A, % is %25'

/**
 * Returns why a text is no `DATABASE_URL`, as the end of a sentence about the setting; null when it is one. It repeats no
 * part of the text, which may contain a password.
 */
export function whyNoDatabaseUrl(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://'
  if (text.includes('#')) return `has a #, at which the address would end. ${HINT}`
  const [authority = ''] = text.replace(/^\w+:\/\//, '').split(/[/?]/, 1)
  if (namesSeveralHosts(text, authority)) {
    return 'names several hosts, or which of them is wanted: Wasla connects to one. Name an address that leads to the primary, such as that of a proxy (docs/guides/replicated-database.md)'
  }
  const place = text.slice(text.indexOf('://') + 3 + authority.length).split('?', 1)[0]!
  if (authority.split('@').length > 2 || place.includes('@')) {
    return `has more than one @, or a / or ? before it. ${HINT}`
  }
  if (/%(?![0-9a-f]{2})/i.test(text))
    return `has a % that no two hexadecimal digits follow. ${HINT}`
  // Without a host, as where `host` names the folder of a socket.
  if (!URL.parse(text.replace('@/', '@localhost/').replace(/@(?=\?|$)/, '@localhost'))) {
    return `is no address: postgres://user:password@host:5432/database. ${HINT}`
  }
  return null
}

/**
 * Returns whether the URL names several hosts in one of libpq's forms: `h1:5432,h2:5432`, `host=h1,h2`, or a session
 * attribute.
 */
function namesSeveralHosts(text: string, authority: string): boolean {
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  const options = new URLSearchParams(text.split('?').slice(1).join('?'))
  return (
    hosts.includes(',') ||
    options.get('host')?.includes(',') === true ||
    options.has('target_session_attrs')
  )
}
