import type { ActionParameter } from '../../contract/ai-action.ts'
import type { ActionView, CreateAction } from '../../contract/dashboard/action.ts'
import { METHODS_WITH_BODY } from '../../rules/calls/fill-request.ts'
import { guessDoes, guessOfferedOn } from '../../rules/assistant/guess-action.ts'
import type { ActionChannels } from '../../core/vocabulary/calls.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

/** A parameter in the form; its choices are one per line. */
export type ParameterValues = {
  name: string
  type: ActionParameter['type']
  description: string
  isRequired: boolean
  choices: string
}

/** An action in the form. */
export type ActionValues = Omit<
  CreateAction,
  'parameters' | 'ownershipPath' | 'request' | 'statement' | 'offeredOn'
> & {
  request: Omit<CreateAction['request'], 'body'> & { body: string }
  parameters: ParameterValues[]
  ownershipPath: string
  /** Null until the member chooses; the form shows a guess meanwhile. */
  offeredOn: ActionChannels | null
  /** The confirmation text by language; the API writes one where it is empty. */
  statement: Record<Language, string>
}

const NEW: ActionValues = {
  toolName: '',
  description: '',
  request: { connectionId: '', method: 'GET', path: '/', query: [], headers: [], body: '' },
  parameters: [],
  identity: 'none',
  shown: [],
  ownershipPath: '',
  statement: { en: '', ar: '' },
  does: null,
  offeredOn: null,
  needsConfirmation: true,
  isOn: true,
}

/** Returns the form's values for an action; null is a new one. */
export function valuesOf(action: ActionView | null): ActionValues {
  if (action === null) return NEW
  const { toolName, description, request, identity, shown, does, offeredOn } = action
  const { needsConfirmation, isOn } = action
  return {
    toolName,
    description,
    request: { ...request, body: request.body ?? '' },
    parameters: action.parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type,
      description: parameter.description,
      isRequired: parameter.isRequired,
      choices: parameter.type === 'one_of' ? parameter.values.join('\n') : '',
    })),
    identity,
    shown,
    does,
    offeredOn,
    ownershipPath: action.ownershipPath ?? '',
    statement: { en: action.statement.en ?? '', ar: action.statement.ar ?? '' },
    needsConfirmation,
    isOn,
  }
}

/** Returns the chosen effect of the action, or else a guess from its name and its method. */
export const doesOf = ({ does, toolName, request }: ActionValues) =>
  does ?? guessDoes(toolName, request.method)

/** Returns the chosen channels of the action, or else a guess from its parameters and identity. */
export const offeredOnOf = (values: ActionValues): ActionChannels =>
  values.offeredOn ?? guessOfferedOn(values, doesOf(values))

/** Returns an action as the API's input, to find out what a form has changed. */
export function shownInputOf(action: ActionView): CreateAction {
  return inputOf(valuesOf(action))
}

/**
 * Converts the form's values to the API's input for an action. Parts that do not apply to the method or to the identity
 * are left out.
 */
export function inputOf(values: ActionValues): CreateAction {
  const { request, parameters, ownershipPath, statement, ...rest } = values
  const takesBody = METHODS_WITH_BODY.has(request.method)
  return {
    ...rest,
    does: doesOf(values),
    offeredOn: offeredOnOf(values),
    request: { ...request, body: takesBody && request.body.trim() !== '' ? request.body : null },
    parameters: parameters.map(({ choices, type, ...parameter }) =>
      type === 'one_of' ? { ...parameter, type, values: linesOf(choices) } : { ...parameter, type },
    ),
    statement: { en: orNull(statement.en), ar: orNull(statement.ar) },
    ownershipPath: values.identity === 'none' || ownershipPath === '' ? null : ownershipPath,
  }
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
