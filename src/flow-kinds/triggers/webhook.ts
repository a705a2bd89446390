import { z } from 'zod'
import { valuePath, variableName } from '../../schemas/flow-names.ts'
import { pathRefusalFact } from '../../schemas/path-refusal-fact.ts'
import { fact } from '../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { readPathExpression } from '../../rules/hooks/path-expression.ts'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import type { FieldIssue, TriggerDefinition, TriggerIssue } from './trigger-design.ts'

const schema = z.object({
  kind: z.literal('webhook'),
  phonePath: valuePath.min(1),
  namePath: valuePath.nullable(),
  languagePath: valuePath.nullable(),
  keep: z.array(z.object({ name: variableName, path: valuePath })).max(HOOK_LIMITS.keptValues),
})
/**
 * The trigger's settings: the paths in a hook's body to the customer's phone, name and language, and to kept values.
 */
export type WebhookTrigger = z.infer<typeof schema>

/**
 * The trigger kind of flows that an accepted hook request starts: its schema and its checks.
 * Spec: Hooks › Setting up; Hooks › Trigger settings; Flows › Triggers.
 */
export const WEBHOOK = {
  schema,
  opensWindow: false,
  needsTemplateFirst: true,
  mayRunDuringStaffHandling: false,
  sets: ({ keep }) => keep.map(({ name }) => name),
  fieldIssues({ keep, ...paths }) {
    const issues: FieldIssue[] = []
    const checkPath = (path: string | null, ...at: (string | number)[]) => {
      const read = path === null ? null : readPathExpression(path)
      if (read?.ok !== false) return
      issues.push({ at, ...pathRefusalFact(read.reason) })
    }
    checkPath(paths.phonePath, 'phonePath')
    checkPath(paths.namePath, 'namePath')
    checkPath(paths.languagePath, 'languagePath')
    for (const [index, { name, path }] of keep.entries()) {
      checkPath(path, 'keep', index, 'path')
      if (keep.findIndex((other) => other.name === name) === index) continue
      issues.push({ at: ['keep', index, 'name'], ...fact('kept_name_taken') })
    }
    return issues
  },
  issues(_trigger, { plan, channelType }) {
    const issues: TriggerIssue[] = []
    if (PLAN_LIMITS[plan].automations && !PLAN_LIMITS[plan].developer) {
      const noHooks = fact('trigger_hooks_not_in_plan', { plan })
      issues.push({ rule: 'in_plan', fact: noHooks, isWarning: true })
    }
    if (channelType !== null && !CAPABILITIES[channelType].startsConversations) {
      const wrongType = fact('trigger_cannot_begin', { channelType })
      issues.push({ rule: 'channel_type', fact: wrongType, isWarning: false })
    }
    return issues
  },
  byMessage: null,
} satisfies TriggerDefinition<WebhookTrigger>

/** Returns a flow's trigger, typed with the settings of a hook; null for a trigger of another kind. */
export function asWebhook(trigger: { kind: TriggerKind }): WebhookTrigger | null {
  return trigger.kind === 'webhook' ? (trigger as WebhookTrigger) : null
}
