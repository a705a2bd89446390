import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../../limits.ts'
import { formText } from './text.ts'

const name = formText(1, DASHBOARD_LIMITS.companyNameChars)

/** A project is a company of the same account with channels, flows and endpoints of its own. */
export const CreateProject = z.strictObject({ name })
export type CreateProject = z.output<typeof CreateProject>

export const RenameCompany = z.strictObject({ name })
export type RenameCompany = z.output<typeof RenameCompany>

export type CompanyView = {
  id: string
  name: string | null
  isProject: boolean
  createdAt: string
}
