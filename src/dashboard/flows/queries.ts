import { type Api } from '../app/resources.ts'

/** Returns the query of one version of a flow, by its number. */
export const versionQuery = (api: Api, flowId: string, number: number) => ({
  ...api.get('flows/:flowId/versions/:number', { flowId, number: String(number) }),
  staleTime: Infinity,
})

/** Returns the query of the publish check on the saved draft. */
export const checkQuery = (api: Api, flowId: string) => ({
  ...api.get('flows/:flowId/draft/check', { flowId }),
  staleTime: 0,
})

/** Returns the query of all names that steps can refer to, such as tags and custom fields. */
export const namesQuery = (api: Api) =>
  api.combine('contact-fields', { with: 'people, services, resources and tags' }, async () => {
    const [people, services, resources, fields, tags] = await Promise.all([
      api.readEvery('people'),
      api.read('services'),
      api.read('resources'),
      api.read('contact-fields'),
      api.readEvery('tags'),
    ])
    return {
      people,
      services: services.items,
      resources: resources.items,
      fields: fields.items.filter(({ isArchived }) => !isArchived),
      tags: tags.map(({ tag }) => tag),
    }
  })
