import { findLinks } from '../../rules/text/find-links.ts'

/**
 * A text whose addresses of pages, e-mail addresses and phone numbers open. A page opens beside the dashboard, and is
 * not told where it was opened from.
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

/** Where a map shows a place, by its words or by where it lies. */
export const mapOf = (place: string): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`
