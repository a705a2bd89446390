import { withLatinDigits } from '../text/latin-digits.ts'

/** Returns the reference that a customer typed in its stored form: `ABCD2345` for `abcd-2345` and `ABCD ٢٣٤٥`. */
export const normalizeReference = (text: string): string =>
  withLatinDigits(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
