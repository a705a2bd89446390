/** The setting by which a visitor of a widget is asked for a value before the first message. */
export const FORM_FIELDS = ['no', 'optional', 'required'] as const
export type FormField = (typeof FORM_FIELDS)[number]
