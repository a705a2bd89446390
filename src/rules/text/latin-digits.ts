/** Arabic-Indic and extended Arabic-Indic digits as 0 to 9. */
export function withLatinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}

/** A number with our digits, and the signs of Arabic keyboards as a point, a comma and a minus of ours. */
export function withLatinSigns(number: string): string {
  return withLatinDigits(number)
    .replaceAll('٫', '.')
    .replace(/[٬،]/g, ',')
    .replaceAll('\u2212', '-')
}
