import { z } from 'zod'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { LEAD_TEMPERATURES } from '../../core/vocabulary/leads.ts'
import { filledText, nextStep, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('lead'),
  /** Null keeps the lead's value; so does a summary that is empty after it is filled in. */
  temperature: z.enum(LEAD_TEMPERATURES).nullable().default(null),
  score: z.int().min(0).max(LEAD_LIMITS.maxScore).nullable().default(null),
  summary: filledText.nullable().default(null),
  qualify: z.boolean().default(false),
  next: nextStep,
})

/** The step that creates a lead for the customer, or updates the one they have. Spec: Flows › Steps; reading F40. */
export const LEAD = {
  schema,
  exits: ({ next }) => ({ next }),
  reads: ({ summary }) => variablesIn([summary ?? '']),
  enter({ temperature, score, summary, qualify, next }, { fill }) {
    const text = summary === null ? '' : fill(summary).trim()
    const act = { kind: 'make_lead', temperature, score, summary: text || null, qualify } as const
    return { kind: 'go_on', to: next, detail: null, act }
  },
} satisfies StepDefinition<z.infer<typeof schema>>
