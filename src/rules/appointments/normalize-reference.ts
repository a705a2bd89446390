import { withLatinDigits } from '../text/latin-digits.ts'

/** Returns a reference as it is stored, `ABCD2345`, from what a customer types, such as `abcd-2345` or `ABCD ٢٣٤٥`. */
export const normalizeReference = (text: string): string =>
  withLatinDigits(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
