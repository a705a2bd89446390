import { findLinks } from '../../rules/text/find-links.ts'

/**
 * A text in which URLs, e-mail addresses and phone numbers are links. A URL opens in a new tab and gets no referrer.
 */
export function LinkedText({ text }: { text: string }) {
  return findLinks(text).map((piece, place) =>
    piece.href === null ? (
      piece.text
    ) : (
      <a
        key={place}
        href={piece.href}
        dir="ltr"
        {...(/^http/i.test(piece.href) && { target: '_blank', rel: 'noreferrer' })}
      >
        {piece.text}
      </a>
    ),
  )
}

/** Returns the URL of a map that shows a place, given by its name or its coordinates. */
export const mapOf = (place: string): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`
