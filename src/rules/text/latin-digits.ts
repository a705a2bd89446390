/** Replaces Arabic-Indic and extended Arabic-Indic digits by 0 to 9. */
export function withLatinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}

/** Returns a number with Latin digits, point, comma and minus in place of those of Arabic keyboards. */
export function withLatinSigns(number: string): string {
  return withLatinDigits(number)
    .replaceAll('٫', '.')
    .replace(/[٬،]/g, ',')
    .replaceAll('\u2212', '-')
}
