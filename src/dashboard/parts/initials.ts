/** Letters without a visible form. */
const BLANK = /[\u115f\u1160\u3164\uffa0]/g
/** An Arabic title with one letter, as in د. سارة and م/خالد, followed by a full stop or a slash. */
const LETTER_TITLES = /^(?:[دمأا]\s*[./]\s*)+/
const TITLES = new Set(
  [
    'mr mrs ms miss mx dr prof eng sir madam sheikh shaikh',
    'السيد السيدة الأستاذ الأستاذة استاذ أستاذ استاذة أستاذة الدكتور الدكتورة دكتور دكتورة',
    'المهندس المهندسة مهندس مهندسة الشيخ الشيخة شيخ البروفيسور',
  ].flatMap((line) => line.split(' ')),
)

/**
 * Returns one or two initials of a person: the first letter of the name, or in Latin script those of the first and the
 * last name. Titles, emoji and invisible marks are skipped. A name without letters gets its first visible character,
 * and no name a question mark.
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

/** Returns the first visible character; an emoji of several parts is kept whole. */
function firstSign(text: string): string {
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (/[\p{P}\p{S}\p{Emoji}]/u.test(segment) && segment !== '\u2800') return segment
  }
  return '?'
}
