import { CAPABILITIES } from '../messaging/channel-capabilities.ts'

/** The types that a visitor may upload, in the form of an `accept` attribute. */
export const FILE_ACCEPT: string = [
  ...new Set(Object.values(CAPABILITIES.web_widget.media!.kinds).flatMap(({ types }) => types)),
].join(',')
