import { TOOL_LIMITS } from '../../../core/limits/tools.ts'
import { cleanText, cutCodePoints } from '../../../rules/text/json-text.ts'
import type { HandoverReason } from '../../../core/vocabulary/inbox.ts'
import { readChoiceArgument, readNamedArguments, refusalResult, WrongInput } from './read-input.ts'
import type { Tool } from './tool.ts'

const NAME = 'hand_over'

/** The reasons that a model may give; code gives the others. */
const REASONS = [
  'customer_asked_for_person',
  'customer_upset',
  'missing_information',
  'needs_staff_action',
] as const satisfies readonly HandoverReason[]

/** The tool that hands the conversation over to staff. Spec: Assistant › Handover. */
export const handOverTool: Tool = {
  offer: () =>
    Promise.resolve([
      {
        name: NAME,
        description:
          'Gives the conversation to the staff: when the customer asks for a person, is upset, when what they need to know is not to be found, or when somebody has to do something. Say one sentence to the customer in the same message.',
        parameters: {
          type: 'object',
          properties: {
            reason: { type: 'string', enum: [...REASONS] },
            reason_text: {
              type: 'string',
              maxLength: TOOL_LIMITS.reasonTextChars,
              description: 'For the staff: what the customer wants and what is known already',
            },
          },
          required: ['reason'],
          additionalProperties: false,
        },
      },
    ]),
  isNamed: (name) => name === NAME,
  use(_context, _toolContext, _name, args) {
    const given = readNamedArguments(args, ['reason', 'reason_text'])
    if (given instanceof WrongInput) return Promise.resolve(refusalResult(given.message))
    const reason = readChoiceArgument(given, 'reason', REASONS)
    if (reason instanceof WrongInput) return Promise.resolve(refusalResult(reason.message))
    if (reason === null) return Promise.resolve(refusalResult('reason is missing.'))
    const said = given['reason_text']
    const text = typeof said === 'string' ? cleanText(said).trim() : ''
    const reasonText = text === '' ? null : cutCodePoints(text, TOOL_LIMITS.reasonTextChars)
    return Promise.resolve({
      text: 'The staff has the conversation now.',
      isDone: true,
      hasEffect: true,
      handsOver: { reason, reasonText },
    })
  },
}
