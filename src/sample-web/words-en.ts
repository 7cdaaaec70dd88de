// The English of the sample web. Adjectives and nouns start with a consonant, so that "a" fits; both lists
// have 64 words because a page's number is spelled with them.
import type { Vocabulary } from './vocabulary.ts'

const list = (text: string): readonly string[] => text.split(/\s*,\s*/)

export const ENGLISH: Vocabulary = {
  language: 'en',
  adjectives: list(
    'gentle,quiet,warm,fresh,soft,bright,strong,small,large,long,short,new,late,young,wise,clean,' +
      'cheap,costly,quick,slow,simple,hard,deep,shallow,tall,low,wide,narrow,busy,lonely,clear,murky,' +
      'sweet,bitter,salty,savoury,dry,wet,cold,hot,smooth,rough,dense,loose,main,plain,steady,public,' +
      'hidden,shared,modest,loyal,friendly,firm,patient,careful,precise,thrifty,honest,broad,tidy,fair,safe,cosy',
  ),
  nouns: list(
    'step,morning,night,season,road,house,garden,river,mountain,market,town,village,harbour,beach,' +
      'forest,field,window,table,chair,book,letter,story,note,guide,plan,habit,choice,week,year,family,' +
      'friend,neighbour,teacher,farmer,fisher,trader,citizen,child,mother,father,voice,colour,light,' +
      'shadow,wind,storm,soil,stone,timber,water,fire,thread,cloth,wheel,boat,bridge,tower,park,page,' +
      'kitchen,terrace,lantern,compass,ladder',
  ),
  places: list(
    'Bandung,Surabaya,Makassar,Leeds,Bristol,Galway,Porto,Tampere,Dunedin,Halifax,Yogyakarta,Medan,Utrecht,Graz',
  ),
  times: list(
    'last spring,two summers ago,before the rains,at the end of the month,this year,on a slow Sunday,' +
      'during the holidays,in the first week,after the harvest,late in the evening,for a whole season,every other Friday',
  ),
  names: list(
    'Sari Wibowo,Tom Ashdown,Maya Putri,Ellen Marsh,Bagus Santoso,Ruth Calder,Dewi Lestari,Colin Peake,' +
      'Nadia Rahman,Owen Tully,Ratna Sihombing,Greta Lindholm',
  ),
  titles: [
    '{T}: the {A} {n} and the {B} {m}',
    '{T}, the {A} {n}, and a {B} {m}',
    'A {A} {n} for {t} and the {B} {m}',
    'What a {A} {n} says about {t} in a {B} {m}',
    'From the {A} {n} to the {B} {m}: {t}',
  ],
  sentences: [
    '{P} {v} the {t} near {place} {w}.',
    'Most people ask about the {t}, yet the {t} matters just as much.',
    'After {num} weeks the {t} had become part of a {a} {n}.',
    'In {place}, {p} {v} the {t} without any {n} to lean on.',
    'There is no {a} rule for the {t}: what helps is a {n}, and some time.',
    'It began with a {a} {n} and a question about the {t}.',
    '{P} {v} the {t}, then {v} it again {w}.',
    'The {a} part is rarely the {t}; more often it is the {n} around it.',
    'Of {num} answers, only a few named the {t} as the reason.',
    'A {n} like this one makes the {t} look {a} and the {t} look {a}.',
    'When the {t} came to {place}, nobody expected such a {a} {n}.',
    'We asked {p} why the {t} still needs a {a} {n}.',
    'The {t} costs about {num} coins in {place}, and less {w}.',
    'Between the {t} and the {t} lies a {a} {n} that few have seen.',
    '"Nobody {v} the {t} as well as my {n}," says {name}.',
    '{name} keeps a {a} {n} beside the {t} and writes everything down.',
    'What {p} {v} {w} was not the {t} but a {a} {n}.',
    'So the {t} stays, the {n} changes, and {p} wait for a {a} {n}.',
    'If the {t} fails, a {a} {n} will do until {p} arrive.',
    'Every {n} in {place} has its own way with the {t}.',
    'The report counts {num} cases in which {p} {v} the {t} {w}.',
    'Seen from the {n}, the {t} is a {a} thing and easy to forget.',
    'That is why {p} {v} the {t} first and the {n} second.',
    'Later the {a} {n} was moved, and with it the {t}.',
  ],
  accented:
    'The café on the Zürich road serves crème brûlée, and the señor at the till says it is naïve to ask for more.',
  labels: {
    home: 'Home',
    about: 'About this site',
    related: 'Related',
    next: 'Next',
    previous: 'Previous',
    search: 'Search',
    readMore: 'Read more',
    partners: 'Elsewhere',
    comments: 'Comments',
    contents: 'Contents',
    reply: 'Reply',
    price: 'Price',
    buy: 'Add to basket',
    mail: 'Your e-mail address',
    old: 'The earlier version of this page',
    broken: 'A page we used to have',
    print: 'Version for printing',
    private: 'For members',
    login: 'Sign in to comment',
    file: 'Download',
    data: 'The figures behind this page',
    by: 'By',
  },
  folders: {
    old: 'old',
    broken: 'notes',
    print: 'print',
    private: 'private',
    login: 'account',
    file: 'files',
    data: 'figures',
    orphan: 'archive',
  },
  topics: [
    {
      name: 'health',
      title: 'Health',
      sections: list('nutrition,clinic,wellbeing,prevention,fitness,family-health,medicine,sleep'),
      nouns: list(
        'blood pressure,heart rate,vaccine,vitamin,diet,sleep rhythm,clinic visit,symptom,treatment,' +
          'fever,exercise routine,blood sugar,lung capacity,immune response,recovery plan,check-up',
      ),
      verbs: list('measured,treated,prevented,monitored,diagnosed,described,studied,lowered'),
      people: list('doctors,nurses,patients,midwives,researchers,pharmacists'),
    },
    {
      name: 'travel',
      title: 'Travel',
      sections: list(
        'destinations,islands,routes,lodging,city-breaks,trekking,itineraries,transport',
      ),
      nouns: list(
        'ferry crossing,night train,guest house,mountain trail,harbour walk,temple visit,island route,' +
          'bus station,travel permit,rented bicycle,sunrise view,backpack,old quarter,coastal road,ticket,map',
      ),
      verbs: list('reached,booked,crossed,explored,missed,photographed,recommended,planned'),
      people: list('travellers,guides,porters,backpackers,drivers,hosts'),
    },
    {
      name: 'technology',
      title: 'Technology',
      sections: list('software,devices,networks,security,databases,open-source,research,startups'),
      nouns: list(
        'database index,network cable,search engine,compiler,phone battery,sensor,web crawler,cache,' +
          'message queue,keyboard,operating system,data centre,neural network,password,backup,protocol',
      ),
      verbs: list('compiled,deployed,measured,repaired,encrypted,replaced,tested,indexed'),
      people: list('engineers,students,operators,designers,maintainers,analysts'),
    },
    {
      name: 'food',
      title: 'Food',
      sections: list('recipes,street-food,baking,spices,restaurants,breakfast,vegetables,drinks'),
      nouns: list(
        'peanut sauce,rice cake,chilli paste,coconut milk,noodle soup,sourdough,grilled fish,lime leaf,' +
          'fried tempeh,vegetable broth,palm sugar,ginger tea,flat bread,pickle,roasted coffee,banana leaf',
      ),
      verbs: list('cooked,seasoned,tasted,grilled,served,steamed,chopped,fermented'),
      people: list('cooks,bakers,vendors,guests,farmers,tasters'),
    },
    {
      name: 'football',
      title: 'Football',
      sections: list('league,fixtures,transfers,tactics,youth-teams,stadiums,interviews,cup'),
      nouns: list(
        'penalty kick,midfield,goalkeeper,league table,corner flag,transfer window,away match,offside line,' +
          'youth squad,training ground,second half,free kick,championship,referee report,counter-attack,title race',
      ),
      verbs: list('won,defended,scored,analysed,lost,trained,postponed,watched'),
      people: list('coaches,strikers,supporters,referees,defenders,scouts'),
    },
    {
      name: 'finance',
      title: 'Finance',
      sections: list('markets,savings,banking,taxes,small-business,insurance,prices,investing'),
      nouns: list(
        'interest rate,savings account,tax form,market stall,loan,exchange rate,household budget,bond,' +
          'insurance claim,cash book,invoice,share price,pension fund,inflation figure,dividend,bank fee',
      ),
      verbs: list('calculated,repaid,invested,audited,estimated,raised,compared,reported'),
      people: list('savers,bankers,accountants,traders,economists,clerks'),
    },
    {
      name: 'environment',
      title: 'Environment',
      sections: list('climate,wildlife,rivers,energy,recycling,forests,oceans,farming'),
      nouns: list(
        'mangrove belt,river delta,solar panel,coral reef,rain gauge,peat soil,bird count,waste bank,' +
          'wind turbine,flood wall,tree nursery,water table,air quality,compost heap,sea grass,carbon figure',
      ),
      verbs: list('planted,mapped,protected,sampled,restored,counted,cleaned,observed'),
      people: list('rangers,biologists,volunteers,villagers,fishers,foresters'),
    },
    {
      name: 'education',
      title: 'Education',
      sections: list(
        'schools,universities,teaching,languages,exams,libraries,scholarships,reading',
      ),
      nouns: list(
        'reading list,class room,exam paper,scholarship,grammar lesson,library card,school garden,lecture,' +
          'homework plan,science fair,alphabet chart,language course,thesis,notebook,maths problem,study group',
      ),
      verbs: list('taught,graded,translated,explained,revised,read,learned,presented'),
      people: list('teachers,pupils,parents,lecturers,librarians,tutors'),
    },
  ],
}
