/** The setting by which a visitor of a widget is asked for a value before the first message. */
export const ASKED = ['no', 'optional', 'required'] as const
export type Asked = (typeof ASKED)[number]
