import type { CompanyView } from '../../contract/dashboard/company.ts'
import { formatWallTime } from '../../contract/dashboard/wall-time.ts'
import { readOpeningHours } from './company-hours.ts'

/** The columns that a company's view needs. */
export const COMPANY_COLUMNS = [
  'id',
  'name',
  'isProject',
  'timeZone',
  'openingHours',
  'createdAt',
] as const

/** Converts a row to the view of a company. */
export function viewCompany(row: {
  id: string
  name: string | null
  isProject: boolean
  timeZone: string
  openingHours: string | null
  createdAt: Date
}): CompanyView {
  const hours = readOpeningHours(row.openingHours)
  return {
    id: row.id,
    name: row.name,
    isProject: row.isProject,
    timeZone: row.timeZone,
    openingHours:
      hours &&
      Object.fromEntries(
        Object.entries(hours).map(([day, ranges]) => [
          day,
          ranges.map(({ from, to }) => ({ from: formatWallTime(from), to: formatWallTime(to) })),
        ]),
      ),
    createdAt: row.createdAt.toISOString(),
  }
}
