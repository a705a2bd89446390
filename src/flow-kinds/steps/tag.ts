import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { contactEdit } from './edit-contact.ts'
import { nextStep, stepIssue, type StepDefinition } from './step-design.ts'

const tags = z
  .array(z.string().trim().min(1).max(CONTACT_LIMITS.tagChars))
  .max(FLOW_LIMITS.tagsOfStep)
  .default([])

const schema = z.object({ kind: z.literal('tag'), add: tags, remove: tags, next: nextStep })

/** The step that adds tags to the customer and removes others. Spec: Flows › Steps; reading F35. */
export const TAG = {
  schema,
  exits: ({ next }) => ({ next }),
  enter: ({ add, remove, next }, walk) =>
    contactEdit(walk, next, { addTags: add, removeTags: remove }),
  issues: ({ add, remove }) =>
    add.length + remove.length === 0 ? [stepIssue('add', 'tags_given', fact('tags_given'))] : [],
} satisfies StepDefinition<z.infer<typeof schema>>
