/** Names of a flow's parts. */
import { z } from 'zod'
import { ruleCode } from './broken-rule.ts'

/** The name of a variable of a run. */
export const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, ruleCode('wrong_variable_name'))

/**
 * The path of a value in a body, without surrounding spaces. `readPathExpression` checks its form and length. Spec:
 * Hooks › Path syntax.
 */
export const valuePath = z.string().trim()

/** The key of a contact's custom field. */
export const contactFieldKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, ruleCode('wrong_contact_field_key'))
