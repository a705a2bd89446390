/** What a flow's parts are named by, wherever they are. */
import { z } from 'zod'
import { HOOK_LIMITS } from '../limits/hooks.ts'
import { ruleOf } from './broken-rule.ts'

export const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, ruleOf('wrong_variable_name'))

/** Where in a body a value is. Its form is checked apart. Spec: Hooks › Path syntax. */
export const valuePath = z.string().max(HOOK_LIMITS.pathChars)

/** What a custom field of contacts is known by. */
export const contactFieldKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, ruleOf('wrong_contact_field_key'))
