import { CAPABILITIES } from '../messaging/channel-capabilities.ts'

/** What a visitor may choose to upload, as a file field names it. */
export const FILE_ACCEPT: string = [
  ...new Set(Object.values(CAPABILITIES.web_widget.media!.kinds).flatMap(({ types }) => types)),
].join(',')
