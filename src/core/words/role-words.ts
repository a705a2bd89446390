import type { Role } from '../vocabulary/accounts.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of roles. */
export const roleWords = defineWordsOf<Role>()({
  en: { owner: 'Owner', admin: 'Admin', agent: 'Agent' },
  ar: { owner: 'مالك', admin: 'مدير', agent: 'موظف' },
})
