import { LETTER_ENCODINGS, readLetters, type NumberRun } from './letter-encodings.ts'
import { match, type Finder } from './match.ts'
import type { Needles } from './needles.ts'
import { readSigns, SIGN_ENCODINGS } from './sign-encodings.ts'
import { decompress } from './decompress.ts'
import { keepReadable } from './keep-readable.ts'
import { asByteText, DEPTH, type View } from './view.ts'
import type { Steps, Budget } from './steps.ts'

/**
 * Looks for secrets in a view and in all that can be decoded from it, four encodings deep. What is decoded is paid
 * for from the budget; once that is used up, whatever has not been looked through counts as found.
 */
export function* search(
  source: View,
  needles: Needles,
  budget: Budget,
  finder: Finder & {
    numberRun: NumberRun
    /** True once nothing more needs to be known. */
    isSettled(): boolean
  },
): Steps<void> {
  const queue = [source]
  const seen = new Set<string>()
  const add = (view: View) => {
    budget.left -= view.bytes.length
    queue.push(view)
  }
  const doubt = (origin: number) => finder.foundIn(origin)
  for (let number = 0; number < queue.length; number++) {
    const view = queue[number]!
    yield* match(view, needles, finder)
    if (finder.isSettled()) return
    if (view.depth === DEPTH) continue
    for (const encoding of SIGN_ENCODINGS) {
      // Percent signs within entities are what entities within percent signs are: looked through once.
      for (const read of readSigns(view, encoding)) if (isNew(read, seen)) add(read)
      yield
    }
    for (const encoding of LETTER_ENCODINGS) {
      const read = readLetters(view, encoding, needles, finder.numberRun)
      yield
      for (const one of read) {
        budget.left -= one.bytes.length
        const unpacked = yield* decompress(one, budget, doubt)
        for (const decoded of [one, ...unpacked])
          for (const readable of keepReadable(decoded, needles)) add(readable)
        yield
      }
    }
    if (budget.left >= 0) continue
    for (const rest of queue.slice(number)) {
      if (rest.places !== null) finder.foundAll()
      else for (const origin of rest.origins) finder.foundIn(origin)
    }
    return
  }
}

function isNew({ bytes, origins }: View, seen: Set<string>): boolean {
  const before = seen.size
  return seen.add(`${origins.join()} ${asByteText(bytes)}`).size > before
}
