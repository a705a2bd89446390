import { accountApi } from '../../app/resources.ts'

/** The query of the account's models in their order, with the daily allowance. */
export const modelsQuery = accountApi.get('/models')

export const modelUsageQuery = accountApi.get('/models/usage')
