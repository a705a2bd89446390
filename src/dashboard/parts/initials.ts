/** Letters that are drawn as nothing. */
const BLANK = /[\u115f\u1160\u3164\uffa0]/g
/** An Arabic title of one letter, as in د. سارة and م/خالد: followed by a full stop or a slash. */
const LETTER_TITLES = /^(?:[دمأا]\s*[./]\s*)+/
const TITLES = new Set(
  [
    'mr mrs ms miss mx dr prof eng sir madam sheikh shaikh',
    'السيد السيدة الأستاذ الأستاذة استاذ أستاذ استاذة أستاذة الدكتور الدكتورة دكتور دكتورة',
    'المهندس المهندسة مهندس مهندسة الشيخ الشيخة شيخ البروفيسور',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Returns one or two letters by which a person is drawn: the first letter of the name, in Latin script the first
 * letters of the first and the last name. Titles, emoji and marks that are not drawn are passed over; a name without a
 * letter is drawn by its first visible sign, and no name by a question mark.
 */
export function initialsOf(name: string | null): string {
  const visible = (name ?? '').replace(BLANK, '')
  const named = visible
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(LETTER_TITLES, '')
  const words = named.split(/\s+/).flatMap((word) => {
    const letter = /[\p{L}\p{N}]/u.exec(word)?.[0]
    return letter === undefined ? [] : [{ word: bare(word), letter }]
  })
  const own = words.filter(({ word }) => !TITLES.has(word))
  const [first, ...more] = own.length > 0 ? own : words
  if (first === undefined) return firstSign(visible)
  const last = more.at(-1)
  const isLatin = /\p{Script=Latin}/u.test(first.letter)
  const letters = isLatin && last !== undefined ? first.letter + last.letter : first.letter
  return letters.toLocaleUpperCase()
}

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The first sign that is drawn, an emoji of several parts whole. */
function firstSign(text: string): string {
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (/[\p{P}\p{S}\p{Emoji}]/u.test(segment) && segment !== '\u2800') return segment
  }
  return '?'
}
