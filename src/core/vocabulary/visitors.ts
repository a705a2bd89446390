/** Whether who writes in a widget is asked for something before the first message. */
export const ASKED = ['no', 'optional', 'required'] as const
export type Asked = (typeof ASKED)[number]
