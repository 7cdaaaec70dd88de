// What a report of `simulate` says.
export const enReport = {
  'report.title': 'Orderings compared',
  'report.figure': 'Figure {n}. {title}.',
  'report.table': 'Table {n}. {title}.',
  'report.ordering': 'ordering',
  'report.ideal': 'ideal',
  'report.random': 'random',
  'report.legend': 'Orderings, the best first',
  'report.axisShare': 'reachable pages fetched, %',
  'report.axisHours': 'virtual hours',
  'report.reproduce': 'To reproduce',
  'report.referencesNote':
    'Grey: “ideal” fetches the best pages first as if it knew them all, “random” any page at any time.',
  'report.harvest.title': 'Harvest rate',
  'report.harvest.axis': 'relevant among the pages fetched so far, %',
  'report.harvest.what':
    'How many of the pages fetched so far are relevant. All curves fall in the end, because relevant pages run out.',
  'report.recall.title': 'Target recall',
  'report.recall.axis': 'relevant pages found, %',
  'report.recall.what': 'How many of all relevant pages that can be reached have been fetched.',
  'report.ofIdeal.title': 'Relevant pages against the ideal',
  'report.ofIdeal.axis': 'of what was possible, %',
  'report.ofIdeal.what':
    'Relevant pages fetched, divided by the most that so many fetches could have brought. The mean height of a curve up to 20% is its nAUC20.',
  'report.relevantHosts.title': 'Hosts with relevant pages',
  'report.relevantHosts.axis': 'hosts',
  'report.relevantHosts.what':
    'Hosts of which at least one relevant page has been fetched: breadth on the topic, where harvest alone would also reward staying on one site.',
  'report.pagerankSum.title': 'PageRank gathered',
  'report.pagerankSum.axis': 'of the PageRank of all reachable pages, %',
  'report.pagerankSum.what':
    'The true PageRank, computed on the whole graph, of the pages fetched so far.',
  'report.stPagerank.title': 'Hot pages found (P_ST)',
  'report.stPagerank.axis': 'hot pages fetched, %',
  'report.stPagerank.what':
    'How many of the hot pages have been fetched; hot is the top 1% by true PageRank (crawl and stop with threshold, after Cho, Garcia-Molina and Page).',
  'report.jain.title': 'Fairness between sites',
  'report.jain.axis': 'Jain’s index',
  'report.jain.what':
    'How evenly the fetches so far are spread over all sites that can be reached: 1 is the same number from each, near 0 is everything from one.',
  'report.overHours': '{title} over time',
  'report.overHoursNote':
    'A ring marks where an ordering had used up its budget, on average over topics; from there its line goes on level.',
  'report.leadTitle': '{lead} by ordering',
  'report.leadWhat': 'Bar: mean over topics. Each ring is one topic.',
  'report.leadAt': '{name} at {share}',
  'report.naucWhat':
    'nAUC20 is the mean, over the first 20% of the fetches, of relevant pages fetched divided by the most that were possible; 100 is perfect.',
  'report.byTopic': '{title}, topic by topic',
  'report.byTopicWhat': 'Colours and dashes as above; the best three are drawn stronger.',
  'report.axes': '↑ {y}; → {x}.',
  'report.relevantPages': '{n} relevant',
  'report.winsTitle': 'Who beats whom',
  'report.winsWhat':
    'On how many of {n} topics the ordering of the row has the higher {lead} than that of the column. Topics differ more than orderings do, so this comparison is the fair one.',
  'report.winsHead': 'beats',
  'report.tables.relevance': 'Relevance',
  'report.tables.importance': 'Importance',
  'report.tables.spread': 'Fairness between sites',
  'report.tablesWhat':
    'Mean over topics, in per cent where nothing else is said; the best of each column is bold.',
  'report.hosts': 'Hosts',
  'report.entropy': 'Entropy',
  'report.verdict': '{best} comes first: {lead} {value}.',
  'report.beats':
    'It beats {other} on {wins} of {topics} topics, on average by {difference} points.',
  'report.web': 'Web',
  'report.size': 'Size',
  'report.reachable': '{pages} reachable pages, {hosts} hosts, {sites} sites',
  'report.topics': 'Topics',
  'report.budget': 'Budget',
  'report.budgetShare': '{share} of the reachable pages',
  'report.seeds': 'Seeds',
  'report.politeness': 'Politeness',
  'report.noDelay': 'no delays',
  'report.delay': '{ms} ms between requests to one host (virtual time)',
  'report.madeBy': 'Made by',
  'report.judge.truth': 'Judged by the known truth; example pages are not counted for relevance.',
  'report.judge.crawl':
    'Relevant is what the crawl itself called hot when it was made; no people were asked. Example pages are not counted.',
  'report.judge.topic':
    'Self-judged: relevant is what the topic itself calls hot, so focused orderings are graded by their own guide. Example pages are not counted.',
  'report.judge.nobody': 'Nothing was said about relevance.',
  'report.oneTopic': 'One topic',
  'report.meanOf': 'Mean over {n} topics',
  'report.setting':
    '{mean}; seeds: {seeds}. Web: {web}, {pages} reachable pages on {hosts} hosts; budget {budget} of them; {delay}. {judge}',
} as const
