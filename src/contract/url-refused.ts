import type { UrlRefusal } from '../rules/merchant-url.ts'

/** Why a merchant's URL cannot be saved, for whoever typed it; goes on after the field's name. */
export const URL_REFUSED: Record<Exclude<UrlRefusal, 'too_long'>, string> = {
  empty: 'is needed: write one that begins with https://',
  bad_character: 'has a space, a backslash or a control character: write them percent-encoded',
  not_https: 'must begin with https://',
  userinfo: 'must not have a user name or a password in it',
  query: 'must not have a query (what follows ?)',
  fragment: 'must not have a fragment (what follows #)',
  dot_segment: 'must not have . or .. as a part of its path',
  invalid: 'is no URL: look at its host name and port',
  port: 'has a port that browsers refuse, as another kind of service listens there: 443 is the usual one',
  ip_spelling:
    'has an address in an unusual spelling: write it as four numbers, such as 203.0.113.7',
  address: 'leads to an address that is not public: it must be reachable from the Internet',
  no_dot: 'needs a host name with a dot in it, such as shop.example.com',
  host: 'has a host name that cannot be used',
  suffix: 'has a host name of a private network: it must be a public one',
}
