// What answers are, for readers of the OpenAPI document.

/** Every answer says what it is, and not only of what shape. */
export function describedAnswers(answers: unknown, operationId: string): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(Object(answers))) {
    const { description } = Object(schema)
    const words = (status === '200' ? ANSWERS[operationId] : undefined) ?? WORDS[status]
    described[status] = { ...Object(schema), description: description ?? words ?? 'why not' }
  }
  return described
}

const WORDS: Readonly<Record<string, string>> = {
  200: 'what was asked for',
  400: 'fields are wrong: every one of them is in problems',
  401: 'the token is missing or wrong',
  404: 'there is no such job or page',
  409: 'not in the state it is in, or with a key that was used for something else: message says which',
  413: 'the body is larger than 1 MiB',
  429: 'too many requests: Retry-After says how long to wait',
  503: 'not now: Retry-After says when',
}

/** By operation, what its 200 is. */
const ANSWERS: Readonly<Record<string, string>> = {
  postCrawl: 'the job is taken, and is not lost any more',
  getCrawl: 'a part of the list; next names the rest',
  getCrawlOverview: 'the job, its options and its figures',
  getCrawlHistory: 'curves, column by column',
  postCrawlPause: 'the job, which is at rest',
  postCrawlStop: 'the job, which is at rest',
  postCrawlResume: 'the job, which waits for its turn or runs',
  postCrawlRefresh: 'the job, which waits for its turn to look at its pages again',
  deleteCrawlOne: 'it is gone for all readers',
  getCrawlOne: 'the job with its pages; the header Link names the rest',
  getCrawlPages: 'a part of the pages; next names the rest',
  getCrawlPageIds: 'ids of pages, in the order that was asked for',
  getCrawlPagesOne: 'all that is stored of the page',
  getCrawlUrls: 'a part of the URLs; next names the rest',
  getCrawlReasons: 'how many URLs came to which end',
  getCrawlHosts: 'hosts, the largest first',
  getCrawlExplain: 'the story of the URL',
  getCrawlGraphPages: 'the best pages, and the links between them',
  getCrawlGraphSites: 'hosts, and the links between them',
  getCrawlRank: 'the most important pages, the best first',
  getCrawlLeases: 'what is in whose hands at this moment',
  getWorkers: 'those that are there, then those that went',
  getSearch: 'matches with snippets, and facets over them',
  getOptions: 'all a job can be asked for',
  postTopic: 'the words with their weights; null where none were given',
  getMetrics: 'figures in the text format of Prometheus',
  getHealthz: 'the server is there, and so are its stores',
  getReadyz: 'the store can be read',
  getSession: 'whether a token is needed, and was shown',
  postLogin: 'signed in: the cookie is set',
  postLogout: 'signed out: the cookie is taken back',
}
