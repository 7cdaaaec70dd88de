import type { Words } from './words.ts'

export const english: Words = {
  decimalMark: '.',
  groupMark: ',',
  title: 'Orderings compared',
  figure: 'Figure',
  table: 'Table',
  ordering: 'ordering',
  hostPolicy: 'host policy',
  ideal: 'ideal',
  random: 'random',
  legend: 'Orderings, the best first',
  axisShare: 'reachable pages fetched, %',
  axisHours: 'virtual hours',
  perTopic: 'topic by topic',
  reproduce: 'To reproduce',
  referencesNote:
    'Grey: “ideal” fetches the best pages first as if it knew them all, “random” any page at any time.',
  charts: {
    harvest: {
      title: 'Harvest rate',
      axis: 'relevant among the pages fetched so far, %',
      what: 'How many of the pages fetched so far are relevant. All curves fall in the end, because relevant pages run out.',
    },
    recall: {
      title: 'Target recall',
      axis: 'relevant pages found, %',
      what: 'How many of all relevant pages that can be reached have been fetched.',
    },
    ofIdeal: {
      title: 'Relevant pages against the ideal',
      axis: 'of what was possible, %',
      what: 'Relevant pages fetched, divided by the most that so many fetches could have brought. The mean height of a curve up to 20 % is its nAUC20.',
    },
    relevantHosts: {
      title: 'Hosts with relevant pages',
      axis: 'hosts',
      what: 'Hosts of which at least one relevant page has been fetched: breadth on the topic, where harvest alone would also reward staying on one site.',
    },
    pagerankSum: {
      title: 'PageRank gathered',
      axis: 'of the PageRank of all reachable pages, %',
      what: 'The true PageRank, computed on the whole graph, of the pages fetched so far.',
    },
    stPagerank: {
      title: 'Hot pages found (P_ST)',
      axis: 'hot pages fetched, %',
      what: 'How many of the hot pages have been fetched; hot is the top 1 % by true PageRank (crawl and stop with threshold, after Cho, Garcia-Molina and Page).',
    },
    jain: {
      title: 'Fairness between sites',
      axis: 'Jain’s index',
      what: 'How evenly the fetches so far are spread over all sites that can be reached: 1 is the same number from each, near 0 is everything from one.',
    },
  },
  overHours: (title) => `${title} over time`,
  overHoursNote:
    'A ring marks where an ordering had used up its budget, on average over topics; from there its line goes on level.',
  leadTitle: (lead) => `${lead} by ordering`,
  leadWhat: 'Bar: mean over topics. Each ring is one topic.',
  leadNames: { nauc20: 'nAUC20', other: (name, at) => `${name} at ${at}` },
  naucWhat:
    'nAUC20 is the mean, over the first 20 % of the fetches, of relevant pages fetched divided by the most that were possible; 100 is perfect.',
  multiplesTitle: (title) => `${title}, topic by topic`,
  multiplesWhat: 'Colours and dashes as above; the best three are drawn stronger.',
  relevantPages: (count) => `${count} relevant`,
  winsTitle: 'Who beats whom',
  winsWhat: (lead, topics) =>
    `On how many of ${topics} topics the ordering of the row has the higher ${lead} than that of the column. Topics differ more than orderings do, so this comparison is the fair one.`,
  winsHead: 'beats',
  tables: {
    relevance: 'Relevance',
    importance: 'Importance',
    spread: 'Fairness between sites',
    what: 'Mean over topics, in per cent where nothing else is said; the best of each column is bold.',
    nauc: 'nAUC20',
    deviation: '± sd',
    hosts: 'Hosts',
    fairness: 'Jain',
    entropy: 'Entropy',
  },
  verdict: (best, lead, value) => `${best} comes first: ${lead} ${value}.`,
  beats: (other, wins, topics, difference) =>
    `It beats ${other} on ${wins} of ${topics} topics, on average by ${difference} points.`,
  facts: {
    web: 'Web',
    pages: 'Size',
    reachable: (pages, hosts, sites) => `${pages} reachable pages, ${hosts} hosts, ${sites} sites`,
    topics: 'Topics',
    budget: 'Budget',
    budgetShare: (share) => `${share} of the reachable pages`,
    seeds: 'Seeds',
    politeness: 'Politeness',
    noDelay: 'no delays',
    delay: (ms) => `${ms} ms between requests to one host (virtual time)`,
    made: 'Made by',
    judges: {
      truth: 'Judged by the known truth; example pages are not counted for relevance.',
      crawl:
        'Relevant is what the crawl itself called hot when it was made; no people were asked. Example pages are not counted.',
      topic:
        'Self-judged: relevant is what the topic itself calls hot, so focused orderings are graded by their own guide. Example pages are not counted.',
      nobody: 'Nothing was said about relevance.',
    },
  },
  setting: ({ web, pages, hosts, topics, seeds, budget, delay, judge }) =>
    `${topics === 1 ? 'One topic' : `Mean over ${topics} topics`}; seeds: ${seeds}. Web: ${web}, ${pages} reachable pages on ${hosts} hosts; budget ${budget} of them; ${delay}. ${judge}`,
}
