/** Removes links from texts of untrusted senders: mail programs make links of any text that looks like an address. */

/** The forms of links and addresses: `https://…`, `tel:…`, a name at a domain, a domain, an IPv4 address. */
const LOOKS_LIKE_LINK = [
  /^[^\p{L}\p{N}]{0,3}[a-z][a-z0-9+-]{1,20}:\S/iu,
  /\S@\S/u,
  /[\p{L}\p{N}-][.。．｡][\p{L}-]{2}/u,
  /\d\.\d{1,3}\.\d{1,3}\.\d/u,
]

/** Characters without which a text cannot be a link. */
const JOINTS = /[.。．｡@:/\\]/gu

/**
 * Returns the text with spaces in place of the characters that make a word a link or an address: `evil.example/a`
 * becomes `evil example a`. Other words stay unchanged, such as `24/7` and `49.90`.
 */
export function withoutLinks(text: string): string {
  return text.replace(/\S+/gu, (word) =>
    LOOKS_LIKE_LINK.some((form) => form.test(word)) ? wordsOf(word) : word,
  )
}

const wordsOf = (word: string): string => word.replace(JOINTS, ' ').replace(/ +/g, ' ').trim()
