/** Limits in words, as docs/reference/limits.md has them. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'

/** Tables by their titles: the name of each limit, and its value in words. */
export type LimitTables = Readonly<Record<string, Record<string, string>>>

export const text = (value: number) => value.toLocaleString('en-US')
export const bytes = (value: number) => `${text(value)} bytes`
export const megabytes = (value: number) => `${value / 1_048_576} MB`
export const characters = (value: number) => `${text(value)} characters`
export const tokens = (value: number) => `${text(value)} tokens`
export const seconds = (ms: number) => `${ms / SECOND_MS} s`
export const minutes = (ms: number) => `${ms / MINUTE_MS} min`
export const hours = (ms: number) => `${ms / HOUR_MS} h`
export const days = (ms: number) => (ms === DAY_MS ? '1 day' : `${ms / DAY_MS} days`)
