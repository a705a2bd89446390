import { accountApi } from '../../app/resources.ts'

/** The query of the account's models in their order, with the daily allowance. */
export const modelsQuery = accountApi.get('/models')

/** The query of the requests to models and their tokens, by day and purpose. */
export const modelUsageQuery = accountApi.get('/models/usage')
