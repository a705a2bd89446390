import type { ModelFacts } from '../../facts/models.ts'
import { moment } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_MODELS: Sentences<ModelFacts> = {
  model_timeout: ({ seconds }) =>
    `The model did not answer within ${seconds} s. Try again, or take a faster one.`,
  model_unreachable: () =>
    'The server of the model could not be reached. Check the base URL, and that the server is running.',
  model_address_refused: () =>
    'The address of the model leads into a network that is not public. Give one that is reached from the internet by https.',
  model_rate_limited: () =>
    'The server of the model takes no more requests for now (429). Check the plan and the credit there, and try again.',
  model_server_error: ({ status }) =>
    `The server of the model answered with an error (${status}). Try again later.`,
  model_unauthorized: () =>
    'The server of the model does not accept the key. Check that it is whole, and may use this model.',
  model_not_found: () =>
    'The server knows no model of this name at this address. Check the name and the base URL; most end in /v1.',
  model_context_too_long: () =>
    'The model takes fewer tokens than the question has. Take one that takes more.',
  model_bad_request: ({ status }) =>
    `The server of the model refused the question (${status}). Check the kind and the name of the model.`,
  model_redirect_refused: () =>
    'The server sends requests on to another address, which is not followed with the key. Give the final address.',
  model_answer_too_large: ({ most }) =>
    `The answer has more than ${most} bytes. Check that the base URL leads to a model.`,
  model_answer_unreadable: () =>
    'What came back is no answer of a model. Check the base URL and the kind; most base URLs end in /v1.',
  model_answer_empty: () => 'The model answered with nothing. Try again, or take another one.',
  model_answer_only_reasoned: () =>
    'The model reasoned until its answer was full, and did not answer. Switch reasoning off at its server, or take another one.',
  model_filtered: () => 'The filter of the provider held the answer back. Take another model.',
  model_key_lost: () => 'The stored key cannot be read any more. Enter it again.',
  model_without_tools: () =>
    'The model answered, but did not use the tool that it was asked to use. The assistant needs a model that can use tools.',
  model_reasons_in_text: () =>
    'The server of the model hands over its thoughts as text. Switch on the reasoning parser of the server, or switch reasoning off there.',
  model_calls_in_text: () =>
    'The server of the model hands over its use of tools as text. Switch on the tool parser of the server for this model.',
  model_hears_nothing: () =>
    'Its server did not write a test recording down with a model of this name. Check the name, and that the server has /audio/transcriptions.',
  model_kind_hears_nothing: () =>
    'The servers of this kind write no voice notes down. Leave it empty here, and give it with a model of another kind.',
  model_sees_nothing: () =>
    'The model refused a test picture. Switch this on for models that read images alone.',
  model_not_saved: () => 'Nothing was saved: see what is wrong with the model.',
  no_such_model: () => 'There is no such model in this account.',
  models_used_up: ({ most }) =>
    `An account has ${most} models at most. Delete one before you add another.`,
  model_key_needed: () => 'Enter the key: this kind of model needs one.',
  model_key_needed_again: () =>
    'The address leads to another server. Enter the key again, so that the old one is not sent there.',
  model_base_url_needed: () => 'Enter the base URL: a model of this kind has none of its own.',
  model_changed: () => 'Somebody else has changed this model since. Load it again.',
  models_in_order: () => 'Name every model of the account once, in the order that you want.',
  model_tests_a_minute: ({ most, freeAt }) =>
    `Models are tested ${most} times a minute at most. Try again at ${moment(freeAt)}.`,
  model_allowance_too_high: ({ most }) =>
    `The operator of this service allows ${most} tokens a day. Give that many or fewer.`,
  model_allowance_used_up: () =>
    "Today's allowance of models is used up. Raise it, or try again after midnight UTC.",
}
