import { accountApi } from '../../app/resources.ts'

/** The account's models, in their order, with what it may use in a day. */
export const modelsQuery = accountApi.get('/models')

export const modelUsageQuery = accountApi.get('/models/usage')
