import { withLatinDigits } from '../text/latin-digits.ts'

/** A reference as a customer may type it, such as `abcd-2345` or `ABCD ٢٣٤٥`, as it is kept: `ABCD2345`. */
export const typedReference = (text: string): string =>
  withLatinDigits(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
