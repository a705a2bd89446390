import type { ModelFacts } from '../../core/facts/models.ts'
import { moment } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_MODELS: Catalog<ModelFacts> = {
  model_timeout: ({ seconds }) =>
    `The model didn’t respond within ${seconds} s. Try again, or use a faster one.`,
  model_unreachable: () =>
    'The model’s server couldn’t be reached. Check the base URL and that the server is running.',
  model_address_refused: () =>
    'The base URL leads to a network that isn’t public. Use one that’s reachable from the internet over https.',
  model_rate_limited: () =>
    'The model’s server is rate limiting us (429). Check your plan and credit there, then try again.',
  model_server_error: ({ status }) =>
    `The model’s server returned an error (${status}). Try again later.`,
  model_unauthorized: () =>
    'The model’s server rejected the API key. Check that it’s complete and can be used with this model.',
  model_not_found: () =>
    'The server has no model with this name at this URL. Check the name and the base URL; most end in /v1.',
  model_context_too_long: () =>
    'The request has more tokens than the model accepts. Use a model with a larger context window.',
  model_bad_request: ({ status }) =>
    `The model’s server rejected the request (${status}). Check the provider and the model name.`,
  model_redirect_refused: () =>
    'The server redirected us. Redirects aren’t followed, to protect your API key. Use the final URL.',
  model_answer_too_large: ({ max }) =>
    `The response is larger than ${max} bytes. Check that the base URL leads to a model.`,
  model_answer_unreadable: () =>
    'The response isn’t from a language model. Check the base URL and the provider; most base URLs end in /v1.',
  model_answer_empty: () => 'The model’s response was empty. Try again, or use another model.',
  model_answer_only_reasoned: () =>
    'The model used its whole response for reasoning and gave no reply. Switch off reasoning on its server, or choose another model.',
  model_filtered: () => 'The provider’s content filter blocked the response. Use another model.',
  model_key_lost: () => 'The saved API key can no longer be read. Enter it again.',
  model_without_tools: () =>
    'The model responded but didn’t use the tool it was given. The assistant needs a model that supports tools.',
  model_reasons_in_text: () =>
    'The model’s server sends the reasoning as part of the text. Switch on the server’s reasoning parser, or switch off reasoning there.',
  model_calls_in_text: () =>
    'The model’s server sends tool calls as text. Switch on the server’s tool parser for this model.',
  model_hears_nothing: () =>
    'The server couldn’t transcribe a test recording with this model. Check the name, and that the server has /audio/transcriptions.',
  model_kind_hears_nothing: () =>
    'This provider doesn’t transcribe voice notes. Leave this empty, and set it on a model from another provider.',
  model_sees_nothing: () =>
    'The model rejected a test image. Switch this on only for models that understand images.',
  model_not_saved: () => 'Nothing was saved. Fix the problem with the model first.',
  no_such_model: () => 'No model with this ID in this account.',
  models_used_up: ({ max }) => `You can have at most ${max} models. Delete one first.`,
  model_key_needed: () => 'Enter an API key: this provider requires one.',
  model_key_needed_again: () =>
    'The base URL now leads to another server. Enter the API key again, so that the old one isn’t sent there.',
  model_base_url_needed: () => 'Enter a base URL: this provider has no default.',
  model_changed: () => 'Someone else changed this model. Reload it and try again.',
  models_in_order: () => 'List every model in the account exactly once, in the order you want.',
  model_tests_a_minute: ({ max, freeAt }) =>
    `You can test models at most ${max} times a minute. Try again at ${moment(freeAt)}.`,
  model_allowance_too_high: ({ max }) =>
    `The operator of this service allows up to ${max} tokens a day. Enter a lower number.`,
  model_allowance_used_up: () =>
    'Today’s token allowance is used up. Raise it, or try again after midnight UTC.',
}
