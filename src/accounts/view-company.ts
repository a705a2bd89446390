import type { CompanyView } from '../contract/dashboard/company.ts'

export function viewCompany(row: {
  id: string
  name: string | null
  isProject: boolean
  createdAt: Date
}): CompanyView {
  return {
    id: row.id,
    name: row.name,
    isProject: row.isProject,
    createdAt: row.createdAt.toISOString(),
  }
}
