/**
 * The passwords that attackers try first: these words, walks over the keyboard and runs of characters. Digits and signs
 * around them, digits in place of letters, and repetitions do not make them stronger.
 */
const WORDS =
  `password passwort passwd pass admin administrator root user guest test demo changeme change secret
  welcome hello login letmein master manager default computer internet iloveyou loveyou love sunshine princess
  football baseball basketball superman batman dragon monkey shadow killer jordan michael charlie thomas jessica
  ashley trustno access freedom whatever qazwsx summer winter spring autumn january february march april june july
  august september october november december monday tuesday friday sunday google facebook whatsapp telegram
  instagram shop store company business office wasla riyadh jeddah makkah madinah dubai cairo saudi arabia egypt
  kuwait qatar oman bahrain jordan emirates mohammed muhammad mohamed ahmed ahmad abdullah abdulaziz abdulrahman
  khalid khaled fahad faisal sultan saud omar ali fatima fatimah aisha maryam nora noura sara sarah allah bismillah
  alhamdulillah inshallah mashallah habibi habibti`.split(/\s+/)
const LETTERS_OF: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qwertzuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'ضصثقفغعهخحج',
  'شسيبلاتنمكط',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
]
/** A shorter part of a row is no walk. */
const MIN_WALK_CHARS = 3

/** Returns whether a password is one of the most used ones. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  // Digits after a word are a number; inside of it they are letters.
  const ways = [plain, asLetters(plain), asLetters(plain.replaceAll(/^\P{L}+|\P{L}+$/gu, ''))]
  return ways.some((way) => restOf(way) === '')
}

/** Removes the guessable parts, the longest first, and returns the unpredictable rest. */
function restOf(text: string): string {
  let rest = text
  for (const known of KNOWN) rest = rest.replaceAll(known, ' ')
  rest = rest.replaceAll(/(.)\1+/gu, ' ')
  for (const length of WALKS) rest = withoutWalks(rest, length)
  // Attackers also try digits and signs around a word.
  return rest.replaceAll(/[\d\s\p{P}\p{S}]+/gu, '').length <= MAX_REST_CHARS ? '' : rest
}

/** Single letters between known parts do not make a password stronger. */
const MAX_REST_CHARS = 2
const KNOWN = WORDS.toSorted((a, b) => b.length - a.length)
const WALKS = [12, 10, 8, 6, 5, 4, MIN_WALK_CHARS]

function withoutWalks(text: string, length: number): string {
  let rest = text
  for (let at = 0; at + length <= rest.length; at += 1) {
    const part = rest.slice(at, at + length)
    const back = [...part].toReversed().join('')
    if (!/^\S+$/u.test(part) || !ROWS.some((row) => row.includes(part) || row.includes(back)))
      continue
    rest = `${rest.slice(0, at)} ${rest.slice(at + length)}`
  }
  return rest
}

const asLetters = (text: string) =>
  [...text].map((character) => LETTERS_OF[character] ?? character).join('')
