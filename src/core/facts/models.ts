import type { None } from './none.ts'

/** Reasons why a language model gave no answer, or is not saved. */
export type ModelFacts = {
  model_timeout: { seconds: number }
  model_unreachable: None
  model_address_refused: None
  model_rate_limited: None
  model_server_error: { status: number }
  model_unauthorized: None
  model_not_found: None
  model_context_too_long: None
  model_bad_request: { status: number }
  model_redirect_refused: None
  model_answer_too_large: { max: number }
  model_answer_unreadable: None
  model_answer_empty: None
  /** The answer contained only reasoning. */
  model_answer_only_reasoned: None
  model_filtered: None
  /** The encryption key with which the model's API key was stored is lost. */
  model_key_lost: None
  /** The model answered the test question without using the tool. */
  model_without_tools: None
  /** The server returns reasoning inside the text. */
  model_reasons_in_text: None
  /** The server returns tool calls as text that cannot be parsed. */
  model_calls_in_text: None
  /** The server did not transcribe the test recording. */
  model_hears_nothing: None
  /** Servers of this kind transcribe nothing. */
  model_kind_hears_nothing: None
  /** The model accepted the test question only without its picture. */
  model_sees_nothing: None
  model_not_saved: None
  no_such_model: None
  models_used_up: { max: number }
  model_key_needed: None
  model_key_needed_again: None
  model_base_url_needed: None
  model_changed: None
  models_in_order: None
  model_tests_a_minute: { max: number; freeAt: string }
  model_allowance_too_high: { max: number }
  model_allowance_used_up: None
}
