import { type Api } from '../app/resources.ts'

/** What the company told its assistant, and whether it answers. */
export const assistantQuery = (api: Api) => api.get('assistant')
