/** What a flow's parts are named by, wherever they are. */
import { z } from 'zod'
import { ruleOf } from './broken-rule.ts'

export const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, ruleOf('wrong_variable_name'))

/**
 * Where in a body a value is; spaces around it are no part of it. Its form and its length in characters
 * are checked apart, by `readPathExpression`. Spec: Hooks › Path syntax.
 */
export const valuePath = z.string().trim()

/** What a custom field of contacts is known by. */
export const contactFieldKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, ruleOf('wrong_contact_field_key'))
