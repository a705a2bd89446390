import { z } from 'zod'

/** How a text is looked at. */
export const Comparison = z.enum(['equal', 'not_equal', 'containing', 'empty', 'not_empty'])
export type Comparison = z.infer<typeof Comparison>

/** The value of a name, empty where it has none. Names are strangers': `constructor` is one like any. */
export function valueNamed(values: Readonly<Record<string, string | null>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? '') : ''
}

/** Compared without letter case and surrounding spaces; `wanted` is not read for empty and not_empty. */
export function compare(actual: string, is: Comparison, wanted: string): boolean {
  const value = actual.trim().toLowerCase()
  const other = wanted.trim().toLowerCase()
  switch (is) {
    case 'equal':
      return value === other
    case 'not_equal':
      return value !== other
    case 'containing':
      return value.includes(other)
    case 'empty':
      return value === ''
    case 'not_empty':
      return value !== ''
  }
}
