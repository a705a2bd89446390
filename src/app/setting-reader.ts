import { isCidr } from '../core/cidr.ts'
import type { Setting } from './settings.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Creates a reader of single settings that collects their errors in `problems`. */
export function createSettingReader(env: Environment) {
  const problems: string[] = []
  const text = (name: Setting) => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const wrong = (name: Setting | (string & {}), rule: string) => {
    problems.push(`${name} ${rule}`)
  }
  return {
    problems,
    text,
    wrong,
    integer(name: Setting, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === null) return fallback
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= min && number <= max) return number
      wrong(name, `must be a whole number from ${min} to ${max}, not "${value}"`)
      return fallback
    },
    oneOf(name: Setting, values: readonly string[], fallback: string): string {
      const value = text(name) ?? fallback
      if (!values.includes(value)) {
        wrong(name, `must be one of ${values.join(', ')}, not "${value}"`)
      }
      return value
    },
    url(name: Setting, fallback: string, protocols: readonly string[]): string {
      const value = text(name) ?? fallback
      const parsed = URL.parse(value)
      if (!parsed || !protocols.includes(parsed.protocol)) {
        wrong(name, `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      }
      return value.replace(/\/+$/, '')
    },
    /** Reads CIDR ranges between commas. */
    ranges(name: Setting, fallback: string[] = []): string[] {
      const given = text(name)
        ?.split(',')
        .map((range) => range.trim())
        .filter((range) => range !== '')
      const ranges = given ?? fallback
      for (const range of ranges) {
        if (!isCidr(range)) wrong(name, `has "${range}", which is not a CIDR range`)
      }
      return ranges
    },
  }
}

export type SettingReader = ReturnType<typeof createSettingReader>
