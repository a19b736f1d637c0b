// Draws the charts of the page from its data, and again when the colours change from light to dark.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const charts = [];
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const color = i => css('--c' + i % 6);
  const number = value => value.toLocaleString('en', {maximumFractionDigits: 0});
  const two = value => String(value).padStart(2, '0');

  // Chart.js has no dates without another library; times are shown in UTC, days only where a log has several.
  const span = data.requests.length * data.widthMillis;
  const time = millis => {
    const date = new Date(millis);
    const day = date.toISOString().slice(0, 10);
    const clock = two(date.getUTCHours()) + ':' + two(date.getUTCMinutes());
    return span <= 864e5 ? clock : data.widthMillis >= 864e5 ? day : day.slice(5) + ' ' + clock;
  };

  const title = text => ({display: true, text, color: css('--ink'), font: {size: 15, weight: '600'}, padding: {bottom: 12}});
  const axis = (text, options) => ({
    title: {display: true, text, color: css('--soft')},
    ticks: {color: css('--soft'), maxRotation: 0, autoSkipPadding: 12, ...(options && options.ticks)},
    grid: {color: css('--line')},
    border: {color: css('--line')},
    ...(options && options.other),
  });
  const legend = shown => ({display: shown, labels: {color: css('--ink'), usePointStyle: true}});
  const draw = (id, config) => {
    config.options = {responsive: true, maintainAspectRatio: false, animation: false, ...config.options};
    charts.push(new Chart(document.getElementById(id), config));
  };

  const overTime = (id, heading, label, series) => draw(id, {
    type: 'line',
    data: {
      datasets: series.map(({name, values, paint}) => ({
        label: name,
        data: values.map((y, i) => ({x: data.startMillis + i * data.widthMillis, y})),
        borderColor: paint,
        backgroundColor: paint,
        borderWidth: 1.5,
        pointStyle: 'line',
        pointRadius: values.length === 1 ? 3 : 0,
        pointHitRadius: 6,
        stepped: values.length < 200,
      })),
    },
    options: {
      parsing: false,
      interaction: {mode: 'index', intersect: false},
      scales: {
        x: axis('time, UTC', {ticks: {callback: time}, other: {
          type: 'linear',
          min: data.startMillis,
          max: data.startMillis + Math.max(data.requests.length - 1, 1) * data.widthMillis,
          afterBuildTicks: scale => { scale.ticks = timeTicks(scale.min, scale.max); },
        }}),
        y: axis(label, {other: {beginAtZero: true}, ticks: {callback: number, precision: 0}}),
      },
      plugins: {
        title: title(heading),
        legend: legend(series.length > 1 || id === 'refused'),
        tooltip: {callbacks: {title: items => items.length ? time(items[0].parsed.x) + ' UTC' : ''}},
      },
    },
  });

  // The coarsest of these that gives six ticks or more, at round times.
  const timeTicks = (min, max) => {
    const steps = [1, 2, 5, 10, 30, 60, 120, 240, 360, 720, 1440, 2880, 10080, 43200, 525600].map(minutes => minutes * 6e4);
    const step = steps.filter(candidate => (max - min) / candidate >= 6).pop() || steps[0];
    const ticks = [];
    for (let value = Math.ceil(min / step) * step; value <= max; value += step) {
      ticks.push({value});
    }
    return ticks;
  };

  const algorithms = () => draw('algorithms', {
    type: 'bar',
    data: {
      labels: data.candidates.map(candidate => candidate.name),
      datasets: data.algorithms
        .map((label, i) => ({label, data: data.candidates.map(candidate => candidate.refused[i]),
          backgroundColor: color(i), pointStyle: 'rect'}))
        .filter((set, i) => i === 0 || data.compares),
    },
    options: {
      scales: {
        x: axis('limit'),
        y: axis('requests refused', {other: {beginAtZero: true}, ticks: {callback: number, precision: 0}}),
      },
      plugins: {title: title('Requests refused, by how a limit is counted'), legend: legend(true)},
    },
  });

  // Steps of a logarithmic scale; the curve begins with all clients and ends at the busiest one.
  const distribution = (id, interval) => {
    const points = interval.points.map(([x, y]) => ({x, y}));
    const least = Math.min(...points.map(point => point.y).filter(y => y > 0), interval.all);
    if (points[0].x > 1) {
      points.unshift({x: 1, y: interval.all});
    }
    const last = points[points.length - 1];
    last.y = least;
    const right = Math.max(last.x, ...interval.limits) * 1.2;
    draw(id, {
      type: 'line',
      data: {
        datasets: [
          {label: 'clients', order: 1, data: points, stepped: 'before', borderColor: css('--ink'), backgroundColor: css('--line'),
            fill: 'start', borderWidth: 1.5, pointStyle: 'rect', pointRadius: 0, pointHitRadius: 6},
          ...interval.limits.map((limit, i) => ({
            label: 'limit ' + number(limit) + '/' + interval.name,
            data: [{x: limit, y: least / 2}, {x: limit, y: interval.all}],
            borderColor: color(i), backgroundColor: color(i), borderWidth: 2, borderDash: [6, 3],
            pointStyle: 'line', pointRadius: 0,
          })),
        ],
      },
      options: {
        scales: {
          x: axis('permits in the busiest ' + interval.name + ' of a client, logarithmic', {
            other: {type: 'logarithmic', min: 1, max: right}, ticks: {callback: decimal}}),
          y: axis('clients with more, logarithmic', {
            other: {type: 'logarithmic', min: least / 2}, ticks: {callback: decimal}}),
        },
        interaction: {mode: 'nearest', axis: 'x', intersect: false},
        plugins: {
          title: title('Clients by their busiest ' + interval.name),
          legend: legend(true),
          tooltip: {filter: item => item.datasetIndex === 0, callbacks: {
            title: () => '',
            label: ({parsed}) => parsed.x === last.x ? 'the busiest client: ' + number(parsed.x)
              : 'more than ' + number(parsed.x) + ': ' + number(parsed.y) + ' clients ('
                + (100 * parsed.y / interval.all).toPrecision(2) + ' %)',
          }},
        },
      },
    });
  };
  const decimal = value => value >= 1 && /^[125]0*$/.test(String(value)) ? number(value) : '';

  const top = (candidate, i) => candidate.top.length && draw('top' + i, {
    type: 'bar',
    data: {
      labels: candidate.top.map(client => client.name),
      datasets: [
        {label: 'granted', data: candidate.top.map(client => client.granted), backgroundColor: css('--granted'), pointStyle: 'rect'},
        {label: 'refused', data: candidate.top.map(client => client.refused), backgroundColor: color(i), pointStyle: 'rect'},
      ],
    },
    options: {
      indexAxis: 'y',
      scales: {
        x: axis('requests', {other: {stacked: true}, ticks: {callback: number, precision: 0}}),
        y: axis('client', {other: {stacked: true}, ticks: {autoSkip: false, callback(value) {
          const name = this.getLabelForValue(value);
          return name.length > 22 ? name.slice(0, 20) + '…' : name;
        }}}),
      },
      plugins: {title: title('Refused most by ' + candidate.name), legend: legend(true)},
    },
  });

  const drawAll = () => {
    charts.splice(0).forEach(chart => chart.destroy());
    if (data.candidates.length) {
      algorithms();
      overTime('refused', 'Requests refused, per ' + data.width, 'requests per ' + data.width,
        data.candidates.map((candidate, i) => ({name: candidate.name, values: candidate.perBin, paint: color(i)})));
    }
    overTime('requests', 'All requests, per ' + data.width, 'requests per ' + data.width,
      [{name: 'requests', values: data.requests, paint: css('--ink')}]);
    data.intervals.forEach((interval, i) => distribution('interval' + i, interval));
    data.candidates.forEach(top);
  };

  document.getElementById('limits').hidden = !data.candidates.length;
  document.getElementById('tops').hidden = !data.candidates.some(candidate => candidate.top.length);
  data.intervals.forEach((interval, i) => {
    const chart = document.createElement('div');
    chart.className = 'chart';
    chart.innerHTML = '<canvas id="interval' + i + '" role="img"></canvas>';
    chart.firstChild.setAttribute('aria-label', 'How many clients have more than so many permits in their busiest ' + interval.name);
    document.getElementById('intervals').append(chart);
  });
  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
